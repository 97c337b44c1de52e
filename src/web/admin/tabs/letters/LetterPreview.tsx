/** A newsletter's preview on a phone, on a desktop, in dark mode, and without images. */
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import ImageOff from "lucide-react/icons/image-off";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Smartphone from "lucide-react/icons/smartphone";
import { type CSSProperties, useCallback, useEffect, useState } from "react";
import type { LetterPreview as RenderedLetter } from "../../../../schema/api/letterResponses.ts";
import { type LetterText, previewLetter } from "./letterCalls.ts";
import { LazyPreviewSheet, PreviewChecks } from "../../editor/Preview.tsx";
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
  const isWide = useIsWide();
  const [view, setView] = useState<LetterView>("phone");
  const renderedLetter = useRenderedLetter(text);
  const viewControl = (
    <SegmentedControl label="Preview as" options={VIEW_CHOICES} value={view} onChoose={setView} />
  );
  const previewContent = (
    <>
      <div className="preview-stage">
        {renderedLetter && <LetterFrame html={renderedLetter.html} view={view} />}
      </div>
      <LetterChecks text={text} size={renderedLetter?.size} />
    </>
  );
  if (!isWide)
    return (
      <LazyPreviewSheet hint="Phone, desktop, dark mode">
        <div className="preview-view">{viewControl}</div>
        {previewContent}
      </LazyPreviewSheet>
    );
  return (
    <Card title="Preview" isFlush className="preview" actions={viewControl}>
      {previewContent}
    </Card>
  );
}

const TYPING_PAUSE_MS = 400;

/** Returns the newsletter as the server renders it or, while offline, the version rendered last. */
function useRenderedLetter(text: LetterText): RenderedLetter | undefined {
  const [renderedLetter, setRenderedLetter] = useState<RenderedLetter>();
  const textJson = JSON.stringify(text);
  useEffect(() => {
    let isOutdated = false;
    const loadPreview = async () => {
      const preview = await previewLetter(JSON.parse(textJson) as LetterText).catch(
        () => undefined,
      );
      if (preview && !isOutdated) setRenderedLetter(preview);
    };
    const timer = setTimeout(() => void loadPreview(), TYPING_PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [textJson]);
  return renderedLetter;
}

/** Shows a newsletter in a frame that runs no scripts. */
function LetterFrame({ html, view }: { html: string; view: LetterView }) {
  const [frameDocument, setFrameDocument] = useState<Document | null>(null);
  const [height, setHeight] = useState(400);
  const width = VIEW_WIDTHS_PX[view];
  const [widthRef, availableWidth = width] = useWidth();
  const scale = Math.min(1, availableWidth / width);
  const attachFrame = useCallback(
    (frame: HTMLIFrameElement | null) => setFrameDocument(frame && frame.contentDocument),
    [],
  );
  useEffect(() => {
    if (!frameDocument) return;
    renderInFrame(frameDocument, html, view);
    const observer = new ResizeObserver(() => setHeight(frameDocument.body.scrollHeight));
    observer.observe(frameDocument.body);
    return () => observer.disconnect();
  }, [frameDocument, html, view]);
  const style: CSSProperties = { width, height, transform: `scale(${scale})` };
  return (
    <div ref={widthRef} className="letter-frame" style={{ maxWidth: width }}>
      <div style={{ height: height * scale }}>
        <iframe
          ref={attachFrame}
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

/** Renders a newsletter. Its styles become an adopted stylesheet, since the CSP blocks and reports style elements. */
function renderInFrame(frameDocument: Document, html: string, view: LetterView): void {
  const rules: string[] = [];
  const htmlWithoutStyles = html.replaceAll(
    /<style[^<>]*>([^<]*)<\/style>/gi,
    (_, rule: string) => {
      rules.push(rule);
      return "";
    },
  );
  const css = rules.join("\n");
  const message = new DOMParser().parseFromString(htmlWithoutStyles, "text/html");
  for (const each of message.querySelectorAll("style, script")) each.remove();
  if (view === "plain")
    for (const picture of message.querySelectorAll("img")) {
      const text = message.createElement("span");
      text.textContent = picture.alt || "(image)";
      text.setAttribute("style", "display:block;padding:12px;border:1px dashed #9aa3ad");
      picture.replaceWith(text);
    }
  // Screen readers and accessibility checks expect a landmark in every document.
  const main = message.createElement("main");
  main.append(...message.body.childNodes);
  message.body.append(main);
  frameDocument.replaceChild(
    frameDocument.importNode(message.documentElement, true),
    frameDocument.documentElement,
  );
  const frameWindow = frameDocument.defaultView as (Window & typeof globalThis) | null;
  if (!frameWindow) return;
  const sheet = new frameWindow.CSSStyleSheet();
  const darkModeQuery = "@media (prefers-color-scheme: dark)";
  sheet.replaceSync(
    css.replaceAll(darkModeQuery, view === "dark" ? "@media all" : "@media not all"),
  );
  frameDocument.adoptedStyleSheets = [sheet];
}

/** Gmail clips larger messages. */
const MAX_MESSAGE_BYTES = 102 * 1024;

function LetterChecks({ text, size }: { text: LetterText; size: number | undefined }) {
  const imageTags = [...text.body.matchAll(/<img\s[^<>]*>/gi)].map(([imageTag]) => imageTag);
  const undescribedCount = imageTags.filter((imageTag) => !/\salt="[^"]+"/i.test(imageTag)).length;
  const hasExternalImages = imageTags.some(
    (imageTag) => !/\ssrc="[^"]*\/uploads\//i.test(imageTag),
  );
  const isSmall = size !== undefined && size < MAX_MESSAGE_BYTES;
  const checks = [
    imageTags.length > 0 && {
      isPassed: undescribedCount === 0,
      result: describeMissingDescriptions(undescribedCount),
    },
    hasExternalImages && {
      isPassed: false,
      result: "Images from other websites won't be sent. Upload them instead.",
    },
    size !== undefined && {
      isPassed: isSmall,
      result: isSmall
        ? "Small enough for Gmail to show in full"
        : "Too long: Gmail will cut it off",
      value: `${Math.ceil(size / 1024)} KB`,
    },
  ].filter((check) => check !== false);
  return <PreviewChecks checks={checks} />;
}

function describeMissingDescriptions(count: number): string {
  if (count === 0) return "All images have a description";
  return count === 1 ? "1 image has no description" : `${count} images have no description`;
}
