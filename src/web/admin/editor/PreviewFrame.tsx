/** Shows sections in an iframe that has a device's viewport and is scaled down to the available width. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  type ComponentType,
  createElement,
  type CSSProperties,
  useCallback,
  useEffect,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { type Content, entities, type EntityKey } from "../../../schema/index.ts";
import type { PageContent } from "../../shared/content.ts";
import { createDefaultContent } from "../../shared/defaults.ts";
import { findFontFamilies, createFontStylesheetHref } from "../../shared/fontLinks.ts";
import {
  loadPreview,
  type PreviewedPage,
  type PreviewName,
} from "../../previews/sectionPreviews.ts";
import { applyHeadingCase } from "../../shared/headings.ts";
import { type PageAssets, usePageContext } from "../../shared/pageContext.ts";
import { TONE_FILTER_SVG } from "../../shared/toneFilter.ts";
import { createThemeAttributes, createThemeProperties } from "../../shared/theme.ts";
import { loadSiteWords } from "../../words/loadSiteWords.ts";
import { type SiteWords, SiteWordsProvider } from "../../words/siteWords.ts";
import { useDrafts } from "../data/drafts.ts";
import { useEntity } from "../data/useEntity.ts";
import { reloadIfReachable } from "../data/version.ts";
import { ErrorBoundary, CodeLoadError } from "../parts/lazyComponent.tsx";
import { useWidth } from "../parts/widths.ts";
import { useScrimmedPictures } from "./useScrim.ts";

export interface PreviewFrameProps {
  readonly section: PreviewName | readonly PreviewName[];
  readonly content: PageContent;
  readonly step?: number | undefined;
  readonly device: keyof typeof DEVICE_SIZES_PX;
  readonly isFullScreen: boolean;
  readonly hasCaption: boolean;
  readonly css?: string | undefined;
  readonly styles?: Partial<Content<"styles">> | undefined;
}

export function PreviewFrame(props: PreviewFrameProps) {
  const { site } = usePageContext();
  const { value = site } = useEntity("site");
  const { code, hasFailed, retry } = usePreviewCode([props.section].flat(), value.language);
  if (hasFailed) return <CodeLoadError subject="the preview" onRetry={retry} />;
  return <DeviceFrame {...props} code={code} />;
}

interface DeviceFrameProps extends PreviewFrameProps {
  readonly code: PreviewCode | undefined;
}

/** A hero above other sections gets its own iframe, since its layout depends on the viewport's height. */
function DeviceFrame(props: DeviceFrameProps) {
  const { section, device, isFullScreen, hasCaption } = props;
  const { width, height, name } = DEVICE_SIZES_PX[device];
  const [shownHeight, setShownHeight] = useState<number>(height);
  const [firstSection, ...otherSections] = [section].flat();
  const isSplit = firstSection === "hero" && otherSections.length > 0;
  return (
    <figure
      className="device"
      data-device={device}
      style={{ "--ratio": width / shownHeight } as CSSProperties}
    >
      {device === "desktop" && <span className="device-bar" aria-hidden="true" />}
      <Frame
        {...props}
        section={isSplit ? firstSection : section}
        isFullScreen={isFullScreen || isSplit}
        title={`${name} preview`}
        onHeight={setShownHeight}
      />
      {isSplit && (
        <Frame {...props} section={otherSections} title={`${name} preview, further down`} />
      )}
      {hasCaption && <figcaption className="faint note">{name}</figcaption>}
    </figure>
  );
}

interface FrameProps extends DeviceFrameProps {
  readonly title: string;
  /** Called with the page's height, in the device's pixels. */
  readonly onHeight?: (height: number) => void;
}

function Frame(props: FrameProps) {
  const { section, code, step, device, isFullScreen, css, title, onHeight } = props;
  const { width, height } = DEVICE_SIZES_PX[device];
  const styles = usePreviewStyles(props.styles);
  const { site, assets } = usePageContext();
  // Entities missing in `props.content` have their default content.
  const defaults = createDefaultContent(Object.keys(entities) as EntityKey[], site.name);
  const allContent = { ...defaults, ...props.content };
  const content = code ? applyHeadingCase(allContent, styles, code.words.words) : allContent;
  const pictures = useScrimmedPictures(content, styles);
  const [measureRef, availableWidth = width / 4] = useWidth();
  const scale = availableWidth / width;
  const [page, setPage] = useState<HTMLElement | null>(null);
  const contentHeight = useContentHeight(page, height);
  const shownHeight = isFullScreen ? height : contentHeight;
  useEffect(() => onHeight?.(shownHeight), [shownHeight, onHeight]);
  usePageStyles(page, { stylesheetUrl: chooseStylesheet(section, assets), css, styles });
  const initializeFrame = useCallback(
    (frame: HTMLIFrameElement | null) => {
      const document = frame?.contentDocument;
      setPage(document ? createPage(document, height) : null);
    },
    [height],
  );
  const size = { width, height: shownHeight, transform: `scale(${scale})` };
  return (
    <div ref={measureRef} className="device-screen" style={{ height: shownHeight * scale }}>
      <iframe
        ref={initializeFrame}
        sandbox="allow-same-origin"
        title={title}
        tabIndex={-1}
        inert
        style={size}
      />
      {page &&
        createPortal(
          <SiteWordsProvider value={code?.words}>
            {[section].flat().map((each) => {
              const Section = code?.sections.get(each);
              return (
                Section && (
                  <ErrorBoundary
                    key={each}
                    resetKey={props.content}
                    subject="this section"
                    message={SECTION_ERROR}
                  >
                    {createElement(Section, { content, pictures, step })}
                  </ErrorBoundary>
                )
              );
            })}
          </SiteWordsProvider>,
          page,
        )}
    </div>
  );
}

const SECTION_ERROR = (
  <section className="section">
    <p>The preview can't show this section. Reload the page.</p>
  </section>
);

const DEVICE_SIZES_PX = {
  desktop: { width: 1366, height: 768, name: "Desktop" },
  phone: { width: 390, height: 844, name: "Mobile" },
  /** The viewport of small previews, for example in the choice of a look. */
  card: { width: 720, height: 500, name: "Look" },
} as const;

/** Returns the URL of the smallest stylesheet for the section. The enquiry form needs all of the site's rules. */
function chooseStylesheet(section: PreviewFrameProps["section"], assets: PageAssets): string {
  if (section === "enquiry") return assets.siteStyles;
  return section === "hero" ? assets.heroStyles : assets.previewStyles;
}

interface PreviewCode {
  readonly sections: ReadonlyMap<PreviewName, ComponentType<PreviewedPage>>;
  readonly words: SiteWords;
}

/** Loads the code of sections. The previous sections remain visible meanwhile. */
function usePreviewCode(names: readonly PreviewName[], language: string) {
  const { data, isError, refetch } = useQuery({
    queryKey: ["preview-code", language, ...names],
    queryFn: async (): Promise<PreviewCode> => {
      const loaded = names.map(async (name) => [name, await loadPreview(name)] as const);
      const words = loadSiteWords(language);
      return { sections: new Map(await Promise.all(loaded)), words: await words };
    },
    placeholderData: keepPreviousData,
  });
  const retry = () => void refetch().then(({ error }) => error && reloadIfReachable());
  return { code: data, hasFailed: isError, retry };
}

function useContentHeight(page: HTMLElement | null, initial: number): number {
  const [height, setHeight] = useState(initial);
  useEffect(() => {
    if (!page) return;
    const observer = new ResizeObserver(() => setHeight(Math.max(page.scrollHeight, 120)));
    observer.observe(page);
    return () => observer.disconnect();
  }, [page]);
  return height;
}

function createPage(document: Document, screenHeight: number): HTMLElement {
  document.open();
  document.write(
    `<!doctype html><html lang="en" data-theme="dark"><head></head><body>${TONE_FILTER_SVG}</body></html>`,
  );
  document.close();
  // If only the body hid its overflow, Firefox would show white scrollbars.
  document.documentElement.style.overflow = "hidden";
  document.body.style.overflow = "hidden";
  // The iframe is as high as its content. With a minimum height, the body would never shrink again.
  document.body.style.minHeight = "0";
  const page = document.createElement("main");
  page.className = "page";
  page.style.setProperty("--screen", `${screenHeight}px`);
  // Hidden until the fonts are loaded, since a title may break differently in another font.
  page.style.visibility = "hidden";
  document.body.prepend(page);
  return page;
}

interface PageStyles {
  readonly stylesheetUrl: string;
  readonly css: string | undefined;
  readonly styles: Content<"styles">;
}

function usePageStyles(page: HTMLElement | null, { stylesheetUrl, css, styles }: PageStyles): void {
  const { fontProvider } = usePageContext();
  const families = findFontFamilies(styles).join("|");
  useEffect(() => {
    if (!page) return;
    const hrefs = families
      .split("|")
      .map((family) => createFontStylesheetHref(family, fontProvider));
    const { head } = page.ownerDocument;
    for (const href of [stylesheetUrl, ...hrefs]) addStylesheetOnce(head, href);
    return showWhenReady(page);
  }, [page, stylesheetUrl, families, fontProvider]);
  useEffect(() => {
    const root = page?.ownerDocument.documentElement;
    for (const [name, value] of Object.entries(createThemeProperties(styles)))
      root?.style.setProperty(name, value);
    for (const [name, value] of Object.entries(createThemeAttributes(styles)))
      root?.setAttribute(name, value);
  }, [page, styles]);
  useEffect(() => {
    const view = page?.ownerDocument.defaultView as (Window & typeof globalThis) | null | undefined;
    if (!page || !view || css === undefined) return;
    const pageSheet = new view.CSSStyleSheet();
    pageSheet.replaceSync(css);
    page.ownerDocument.adoptedStyleSheets = [pageSheet];
  }, [page, css]);
}

/** Returns the stored styles with unsaved changes and `overrides`. */
function usePreviewStyles(overrides: Partial<Content<"styles">> | undefined): Content<"styles"> {
  const pageContext = usePageContext();
  const { value = pageContext.styles } = useEntity("styles");
  const styleDrafts = useDrafts().filter((draft) => draft.key === "styles");
  return Object.assign({}, value, ...styleDrafts.map((draft) => draft.changes), overrides);
}

function addStylesheetOnce(head: HTMLElement, href: string): void {
  if ([...head.querySelectorAll("link")].some((link) => link.getAttribute("href") === href)) return;
  const link = head.ownerDocument.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  head.append(link);
}

/** After the last poll, the preview is shown even if a font has failed to load. */
const [POLL_INTERVAL_MS, MAX_POLLS] = [20, 250];

/** Shows the page once its fonts are loaded. Polls, since load events don't fire in an iframe without scripts. */
function showWhenReady(page: HTMLElement): () => void {
  const { ownerDocument: document, style } = page;
  let pollCount = 0;
  const timer = setInterval(() => {
    const areStylesLoaded =
      page.firstChild && [...document.querySelectorAll("link")].every(isLoaded);
    // Reading `offsetHeight` causes a layout, which starts to load the fonts.
    const isReady = areStylesLoaded && page.offsetHeight && document.fonts.status === "loaded";
    pollCount += 1;
    if (!isReady && pollCount < MAX_POLLS) return;
    clearInterval(timer);
    style.visibility = "";
  }, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}

const isLoaded = ({ sheet }: HTMLLinkElement) => sheet !== null;
