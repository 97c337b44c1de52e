/**
 * One preview: the section in a document of its own, so that its media queries and viewport units
 * are those of the device shown, then scaled to the room there is.
 */
import { createElement, type CSSProperties, useCallback, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { PageContent } from "../../content.ts";
import { familiesOf, fontStylesheetHref } from "../../fontLinks.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { themeProperties } from "../../theme.ts";
import { useShell } from "../../useShell.ts";
import { picturesOf, useUploads } from "../queries/useUploads.ts";
import { useSectionComponent } from "./useSectionComponent.ts";
import { usePreviewStyles } from "./usePreviewStyles.ts";

const DEVICES = {
  desktop: { width: 1366, height: 768, name: "Desktop" },
  phone: { width: 390, height: 844, name: "Phone" },
} as const;

/** Which section is shown as on which device. */
export interface SectionFrameProps {
  readonly section: PreviewName;
  readonly content: PageContent;
  readonly step?: number | undefined;
  readonly device: keyof typeof DEVICES;
  readonly fullScreen: boolean;
  readonly captioned: boolean;
}

/** Renders the framed section; it is a picture only, nothing in it can be pressed. */
export function SectionFrame({
  section,
  content,
  step,
  device,
  fullScreen,
  captioned,
}: SectionFrameProps) {
  const { width, height, name } = DEVICES[device];
  const room = useRef<HTMLDivElement>(null);
  const scale = useScale(room, width);
  const [page, setPage] = useState<HTMLElement | null>(null);
  const contentHeight = useContentHeight(page, height);
  const shown = fullScreen ? height : contentHeight;
  const Section = useSectionComponent(section);
  const { files } = useUploads();
  usePageStyles(page);
  const open = useCallback((frame: HTMLIFrameElement | null) => {
    setPage(frame ? openPage(frame) : null);
  }, []);
  const size = { width, height: shown, transform: `scale(${scale})` };
  return (
    <figure
      className="device"
      data-device={device}
      style={{ "--ratio": width / shown } as CSSProperties}
    >
      {device === "desktop" && <span className="device-bar" aria-hidden="true" />}
      <div ref={room} className="device-room" style={{ height: shown * scale }}>
        <iframe
          ref={open}
          sandbox="allow-same-origin"
          title={`${name} preview`}
          tabIndex={-1}
          inert
          style={size}
        />
        {page &&
          Section &&
          createPortal(
            createElement(Section, { content, pictures: picturesOf(files ?? []), step }),
            page,
          )}
      </div>
      {captioned && <figcaption>{name}</figcaption>}
    </figure>
  );
}

/** Makes the frame's document a standards-mode page and answers where the section goes. */
function openPage(frame: HTMLIFrameElement): HTMLElement {
  const page = frame.contentDocument!;
  page.open();
  page.write(
    '<!doctype html><html lang="en" data-theme="dark"><head></head><body><div class="page"></div></body></html>',
  );
  page.close();
  page.documentElement.style.overflow = "hidden";
  return page.querySelector<HTMLElement>(".page")!;
}

function usePageStyles(page: HTMLElement | null): void {
  const { assets, fontProvider } = useShell();
  const styles = usePreviewStyles();
  const families = familiesOf(styles).join("|");
  useEffect(() => {
    if (!page) return;
    const hrefs = families.split("|").map((family) => fontStylesheetHref(family, fontProvider));
    const { head } = page.ownerDocument;
    for (const href of [assets.siteStyles, ...hrefs]) linkOnce(head, href);
  }, [page, assets, families, fontProvider]);
  useEffect(() => {
    const root = page?.ownerDocument.documentElement;
    for (const [name, value] of Object.entries(themeProperties(styles)))
      root?.style.setProperty(name, value);
  }, [page, styles]);
}

function linkOnce(head: HTMLElement, href: string): void {
  if ([...head.querySelectorAll("link")].some((link) => link.getAttribute("href") === href)) return;
  const link = head.ownerDocument.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  head.append(link);
}

function useScale(room: { current: HTMLElement | null }, width: number): number {
  const [scale, setScale] = useState(0.25);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setScale(entry!.contentRect.width / width));
    observer.observe(room.current!);
    return () => observer.disconnect();
  }, [room, width]);
  return scale;
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
