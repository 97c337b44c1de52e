/**
 * One preview: sections in a document of its own, so that its media queries and viewport units
 * are those of the device shown, then scaled to the room there is.
 */
import { createElement, type CSSProperties, useCallback, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { PageContent } from "../../content.ts";
import type { PreviewName } from "../../sectionPreviews.ts";
import { useShell } from "../../shell.ts";
import { picturesOf, useUploads } from "../queries/useUploads.ts";
import { openPage, usePageStyles } from "./framePage.ts";
import { useSectionComponent } from "./useSectionComponent.ts";

const DEVICES = {
  desktop: { width: 1366, height: 768, name: "Desktop" },
  phone: { width: 390, height: 844, name: "Mobile" },
} as const;

/** Which sections are shown, one under the other, as on which device. */
export interface SectionFrameProps {
  readonly section: PreviewName | readonly PreviewName[];
  readonly content: PageContent;
  readonly step?: number | undefined;
  readonly device: keyof typeof DEVICES;
  readonly fullScreen: boolean;
  readonly captioned: boolean;
  /** Rules for this preview alone. */
  readonly css?: string | undefined;
}

/** Renders the framed sections; they are a picture only, nothing in them can be pressed. */
export function SectionFrame(props: SectionFrameProps) {
  const { section, content, step, device, fullScreen, captioned, css } = props;
  const { width, height, name } = DEVICES[device];
  const room = useRef<HTMLDivElement>(null);
  const scale = useScale(room, width);
  const [page, setPage] = useState<HTMLElement | null>(null);
  const contentHeight = useContentHeight(page, height);
  const shown = fullScreen ? height : contentHeight;
  const { assets } = useShell();
  // The form is styled by the whole sheet; all others by the sections' alone, which is far smaller.
  usePageStyles(page, section === "enquiry" ? assets.siteStyles : assets.previewStyles, css);
  const open = useCallback(
    (frame: HTMLIFrameElement | null) => setPage(frame && openPage(frame, height)),
    [height],
  );
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
          createPortal(
            [section]
              .flat()
              .map((each) => <Framed key={each} section={each} content={content} step={step} />),
            page,
          )}
      </div>
      {captioned && <figcaption>{name}</figcaption>}
    </figure>
  );
}

interface FramedProps {
  readonly section: PreviewName;
  readonly content: PageContent;
  readonly step: number | undefined;
}

function Framed({ section, content, step }: FramedProps) {
  const Section = useSectionComponent(section);
  const { files } = useUploads();
  return Section && createElement(Section, { content, pictures: picturesOf(files ?? []), step });
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
