/**
 * A preview: sections in a document of their own, whose media queries and viewport units are those of the device shown,
 * scaled to the space available.
 */
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
import { createDefaults } from "../../shared/defaults.ts";
import { fontFamilies, fontStylesheetHref } from "../../shared/fontLinks.ts";
import {
  loadPreview,
  type PreviewedPage,
  type PreviewName,
} from "../../previews/sectionPreviews.ts";
import { applyHeadings } from "../../shared/headings.ts";
import { type ShellAssets, useShell } from "../../shared/shell.ts";
import { TONE_FILTER_SVG } from "../../shared/tone.ts";
import { createThemeAttributes, createThemeProperties } from "../../shared/theme.ts";
import { loadSiteWords } from "../../words/load.ts";
import { type SiteWords, SiteWordsProvider } from "../../words/siteWords.ts";
import { useDrafts } from "../data/drafts.ts";
import { useEntity } from "../data/useEntity.ts";
import { reloadIfReachable } from "../data/version.ts";
import { ErrorBoundary, CodeLoadError } from "../parts/lazyComponent.tsx";
import { useWidth } from "../parts/useWidth.ts";
import { useScrimmedPictures } from "./scrimmed.ts";

/** The sections to show, below each other, and the device. */
export interface PreviewFrameProps {
  readonly section: PreviewName | readonly PreviewName[];
  readonly content: PageContent;
  readonly step?: number | undefined;
  readonly device: keyof typeof DEVICE_SIZES_PX;
  readonly fullScreen: boolean;
  readonly captioned: boolean;
  /** CSS for this preview only. */
  readonly css?: string | undefined;
  /** Styles over stored and unsaved ones. */
  readonly styles?: Partial<Content<"styles">> | undefined;
}

/** The sections, or a message and Retry if their code fails to load. */
export function PreviewFrame(props: PreviewFrameProps) {
  const { site } = useShell();
  const { value = site } = useEntity("site");
  const { code, failed, retry } = usePreviewCode([props.section].flat(), value.language);
  if (failed) return <CodeLoadError subject="the preview" onRetry={retry} />;
  return <DeviceFrame {...props} code={code} />;
}

interface DeviceFrameProps extends PreviewFrameProps {
  readonly code: PreviewCode | undefined;
}

/** A first screen has a frame of its own, since its layout depends on the height of the window. */
function DeviceFrame(props: DeviceFrameProps) {
  const { section, device, fullScreen, captioned } = props;
  const { width, height, name } = DEVICE_SIZES_PX[device];
  const [shown, setShown] = useState<number>(height);
  const [first, ...others] = [section].flat();
  const isSplit = first === "hero" && others.length > 0;
  return (
    <figure
      className="device"
      data-device={device}
      style={{ "--ratio": width / shown } as CSSProperties}
    >
      {device === "desktop" && <span className="device-bar" aria-hidden="true" />}
      <Frame
        {...props}
        section={isSplit ? first : section}
        fullScreen={fullScreen || isSplit}
        title={`${name} preview`}
        onHeight={setShown}
      />
      {isSplit && <Frame {...props} section={others} title={`${name} preview, further down`} />}
      {captioned && <figcaption className="faint note">{name}</figcaption>}
    </figure>
  );
}

interface FrameProps extends DeviceFrameProps {
  readonly title: string;
  /** Receives its height, in the device's pixels. */
  readonly onHeight?: (height: number) => void;
}

/** The sections aren't interactive. */
function Frame(props: FrameProps) {
  const { section, code, step, device, fullScreen, css, title, onHeight } = props;
  const { width, height } = DEVICE_SIZES_PX[device];
  const styles = usePreviewStyles(props.styles);
  const { site, assets } = useShell();
  // Settings that aren't loaded yet have their defaults.
  const defaults = createDefaults(Object.keys(entities) as EntityKey[], site.name);
  const filled = { ...defaults, ...props.content };
  const content = code ? applyHeadings(filled, styles, code.words.words) : filled;
  const pictures = useScrimmedPictures(content, styles);
  const [measure, room = width / 4] = useWidth();
  const scale = room / width;
  const [page, setPage] = useState<HTMLElement | null>(null);
  const contentHeight = useContentHeight(page, height);
  const shown = fullScreen ? height : contentHeight;
  useEffect(() => onHeight?.(shown), [shown, onHeight]);
  usePageStyles(page, { sheet: chooseStylesheet(section, assets), css, styles });
  const open = useCallback(
    (frame: HTMLIFrameElement | null) => {
      const document = frame?.contentDocument;
      setPage(document ? createPage(document, height) : null);
    },
    [height],
  );
  const size = { width, height: shown, transform: `scale(${scale})` };
  return (
    <div ref={measure} className="device-screen" style={{ height: shown * scale }}>
      <iframe
        ref={open}
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
                    message={SECTION_FAILED}
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

/** In place of one section; the others are shown. */
const SECTION_FAILED = (
  <section className="section">
    <p>This section can't be shown.</p>
  </section>
);

const DEVICE_SIZES_PX = {
  desktop: { width: 1366, height: 768, name: "Desktop" },
  phone: { width: 390, height: 844, name: "Mobile" },
  /** A small page preview among others. */
  card: { width: 720, height: 500, name: "Look" },
} as const;

/** The form needs the whole stylesheet, other sections the smallest that covers them. */
function chooseStylesheet(section: PreviewFrameProps["section"], assets: ShellAssets): string {
  if (section === "enquiry") return assets.siteStyles;
  return section === "hero" ? assets.heroStyles : assets.previewStyles;
}

/** The sections' components by name, and the site's texts. */
interface PreviewCode {
  readonly sections: ReadonlyMap<PreviewName, ComponentType<PreviewedPage>>;
  readonly words: SiteWords;
}

/** The preview's code once loaded; `retry` loads it again. */
function usePreviewCode(names: readonly PreviewName[], language: string) {
  const [state, setState] = useState<{ code?: PreviewCode; failed?: true }>({});
  const wanted = names.join();
  const read = useCallback(async () => {
    const sections = wanted.split(",") as PreviewName[];
    const loaded = sections.map(async (name) => [name, await loadPreview(name)] as const);
    const words = loadSiteWords(language);
    return { sections: new Map(await Promise.all(loaded)), words: await words };
  }, [wanted, language]);
  useEffect(() => {
    let left = false;
    read().then(
      (code) => left || setState({ code }),
      () => left || setState({ failed: true }),
    );
    return () => {
      left = true;
    };
  }, [read]);
  const retry = () => void read().then((code) => setState({ code }), reloadIfReachable);
  return { ...state, retry };
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

/** Makes a standards-mode document in a frame and returns the element for sections. */
function createPage(document: Document, screen: number): HTMLElement {
  document.open();
  document.write(
    `<!doctype html><html lang="en" data-theme="dark"><head></head><body>${TONE_FILTER_SVG}</body></html>`,
  );
  document.close();
  // On both: Firefox gives a frame white scrollbars for content overflowing the root.
  document.documentElement.style.overflow = "hidden";
  document.body.style.overflow = "hidden";
  // The frame is as tall as its content, so a body as tall as the frame would never shrink.
  document.body.style.minHeight = "0";
  const page = document.createElement("main");
  page.className = "page";
  page.style.setProperty("--screen", `${screen}px`);
  // Until its fonts are loaded: a name would break in wider letters.
  page.style.visibility = "hidden";
  document.body.prepend(page);
  return page;
}

interface PageStyles {
  readonly sheet: string;
  readonly css: string | undefined;
  readonly styles: Content<"styles">;
}

/** Adds a site stylesheet, fonts and theme to the page, then `css`. */
function usePageStyles(page: HTMLElement | null, { sheet, css, styles }: PageStyles): void {
  const { fontProvider } = useShell();
  const families = fontFamilies(styles).join("|");
  useEffect(() => {
    if (!page) return;
    const hrefs = families.split("|").map((family) => fontStylesheetHref(family, fontProvider));
    const { head } = page.ownerDocument;
    for (const href of [sheet, ...hrefs]) addStylesheetOnce(head, href);
    return showWhenReady(page);
  }, [page, sheet, families, fontProvider]);
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

/** The stored styles with unsaved changes, then `over`. */
function usePreviewStyles(over: Partial<Content<"styles">> | undefined): Content<"styles"> {
  const shell = useShell();
  const { value = shell.styles } = useEntity("styles");
  const edited = useDrafts().filter((draft) => draft.key === "styles");
  return Object.assign({}, value, ...edited.map((draft) => draft.changes), over);
}

function addStylesheetOnce(head: HTMLElement, href: string): void {
  if ([...head.querySelectorAll("link")].some((link) => link.getAttribute("href") === href)) return;
  const link = head.ownerDocument.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  head.append(link);
}

/**
 * The milliseconds between two checks of the stylesheets and fonts, and the maximum number of checks: a
 * failure must not hide the preview.
 */
const [EVERY, AT_MOST] = [20, 250];

/** Shows the page once its fonts are loaded. It polls: listeners aren't called in a frame without scripts. */
function showWhenReady(page: HTMLElement): () => void {
  const { ownerDocument: document, style } = page;
  let checks = 0;
  const timer = setInterval(() => {
    const isRead = page.firstChild && [...document.querySelectorAll("link")].every(hasSheet);
    // Fonts are asked for by the layout that needs them.
    const isDrawn = isRead && page.offsetHeight && document.fonts.status === "loaded";
    checks += 1;
    if (!isDrawn && checks < AT_MOST) return;
    clearInterval(timer);
    style.visibility = "";
  }, EVERY);
  return () => clearInterval(timer);
}

const hasSheet = ({ sheet }: HTMLLinkElement) => sheet !== null;
