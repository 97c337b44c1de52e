/** A newsletter's preview on a phone, on a desktop, in dark mode, and without images. */
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import ImageOff from "lucide-react/icons/image-off";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Smartphone from "lucide-react/icons/smartphone";
import { type CSSProperties, useCallback, useEffect, useState } from "react";
import type { LetterPreview as Written } from "../../../../schema/api/letterResponses.ts";
import { type LetterText, previewLetter } from "./letters.ts";
import { LazyPreviewSheet, type PreviewCheck, PreviewChecks } from "../../editor/Preview.tsx";
import { useIsWide, useWidth } from "../../parts/widths.ts";
import { Card } from "../../parts/Card.tsx";

const VIEW_WIDTHS_PX = { phone: 390, desk: 720, dark: 390, plain: 390 } as const;

type LetterView = keyof typeof VIEW_WIDTHS_PX;

const VIEW_CHOICES = [
  { value: "phone", label: "Phone", icon: Smartphone },
  { value: "desk", label: "Desktop", icon: Monitor },
  { value: "dark", label: "Dark mode", icon: Moon },
  { value: "plain", label: "Images off", icon: ImageOff },
] as const;

export function LetterPreview({ text }: { text: LetterText }) {
  const wide = useIsWide();
  const [view, choose] = useState<LetterView>("phone");
  const written = useRenderedLetter(text);
  const choices = (
    <SegmentedControl label="Preview as" options={VIEW_CHOICES} value={view} onChoose={choose} />
  );
  const shown = (
    <>
      <div className="preview-stage">
        {written && <LetterFrame html={written.html} view={view} />}
      </div>
      <LetterChecks text={text} size={written?.size} />
    </>
  );
  if (!wide)
    return (
      <LazyPreviewSheet hint="Phone, desktop, dark mode">
        <div className="preview-view">{choices}</div>
        {shown}
      </LazyPreviewSheet>
    );
  return (
    <Card title="Preview" isFlush className="preview" actions={choices}>
      {shown}
    </Card>
  );
}

/** The pause in typing before the preview updates, in milliseconds. */
const TYPING_PAUSE_MS = 400;

/** The newsletter as the server renders it. While offline, the last version. */
function useRenderedLetter(text: LetterText): Written | undefined {
  const [written, setWritten] = useState<Written>();
  const sent = JSON.stringify(text);
  useEffect(() => {
    let isOld = false;
    const read = async () => {
      const next = await previewLetter(JSON.parse(sent) as LetterText).catch(() => undefined);
      if (next && !isOld) setWritten(next);
    };
    const timer = setTimeout(() => void read(), TYPING_PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [sent]);
  return written;
}

/** The frame runs no scripts. */
function LetterFrame({ html, view }: { html: string; view: LetterView }) {
  const [page, setPage] = useState<Document | null>(null);
  const [height, setHeight] = useState(400);
  const width = VIEW_WIDTHS_PX[view];
  const [measure, availableWidth = width] = useWidth();
  const scale = Math.min(1, availableWidth / width);
  const open = useCallback(
    (frame: HTMLIFrameElement | null) => setPage(frame && frame.contentDocument),
    [],
  );
  useEffect(() => {
    if (!page) return;
    renderInFrame(page, html, view);
    const observer = new ResizeObserver(() => setHeight(page.body.scrollHeight));
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page, html, view]);
  const style: CSSProperties = { width, height, transform: `scale(${scale})` };
  return (
    <div ref={measure} className="letter-frame" style={{ maxWidth: width }}>
      <div style={{ height: height * scale }}>
        <iframe
          ref={open}
          sandbox="allow-same-origin"
          title={`The newsletter: ${VIEW_CHOICES.find(({ value }) => value === view)?.label}`}
          tabIndex={-1}
          inert
          style={style}
        />
      </div>
    </div>
  );
}

/**
 * Moves the message's styles to an adopted stylesheet: CSP allows no style elements, and would report one while
 * parsing.
 */
function renderInFrame(page: Document, html: string, view: LetterView): void {
  const rules: string[] = [];
  const bare = html.replaceAll(/<style[^<>]*>([^<]*)<\/style>/gi, (_, each: string) => {
    rules.push(each);
    return "";
  });
  const css = rules.join("\n");
  const message = new DOMParser().parseFromString(bare, "text/html");
  for (const each of message.querySelectorAll("style, script")) each.remove();
  if (view === "plain")
    for (const picture of message.querySelectorAll("img")) {
      const text = message.createElement("span");
      text.textContent = picture.alt || "(image)";
      text.setAttribute("style", "display:block;padding:12px;border:1px dashed #9aa3ad");
      picture.replaceWith(text);
    }
  // Every document needs a landmark.
  const main = message.createElement("main");
  main.append(...message.body.childNodes);
  message.body.append(main);
  page.replaceChild(page.importNode(message.documentElement, true), page.documentElement);
  const frame = page.defaultView as (Window & typeof globalThis) | null;
  if (!frame) return;
  const sheet = new frame.CSSStyleSheet();
  const dark = "@media (prefers-color-scheme: dark)";
  sheet.replaceSync(css.replaceAll(dark, view === "dark" ? "@media all" : "@media not all"));
  page.adoptedStyleSheets = [sheet];
}

/** Gmail clips larger messages. */
const MAX_MESSAGE_BYTES = 102 * 1024;

function LetterChecks({ text, size }: { text: LetterText; size: number | undefined }) {
  const pictures = [...text.body.matchAll(/<img\s[^<>]*>/gi)].map(([picture]) => picture);
  const silent = pictures.filter((picture) => !/\salt="[^"]+"/i.test(picture)).length;
  const noDescription =
    silent === 1 ? "1 image has no description" : `${silent} images have no description`;
  const foreign = pictures.filter((picture) => !/\ssrc="[^"]*\/uploads\//i.test(picture)).length;
  const all: PreviewCheck[] = [
    ...(pictures.length === 0
      ? []
      : [
          silent === 0
            ? { isPassed: true, result: "All images have a description" }
            : { isPassed: false, result: noDescription },
        ]),
    ...(foreign > 0
      ? [
          {
            isPassed: false,
            result: "Images from other websites won't be sent. Upload them instead.",
          },
        ]
      : []),
    ...(size === undefined
      ? []
      : [
          {
            isPassed: size < MAX_MESSAGE_BYTES,
            result:
              size < MAX_MESSAGE_BYTES
                ? "Small enough for Gmail to show in full"
                : "Too long: Gmail will cut it off",
            value: `${Math.ceil(size / 1024)} KB`,
          },
        ]),
  ];
  return <PreviewChecks checks={all} />;
}
