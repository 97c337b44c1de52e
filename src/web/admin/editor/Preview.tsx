/** A live preview, beside the form or, on phones, in a bottom sheet. */
import CircleCheck from "lucide-react/icons/circle-check";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ReactNode, useState } from "react";
import { Skeleton } from "../../ui/AsyncContent.tsx";
import type { PageContent } from "../../shared/content.ts";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import type { PreviewName } from "../../previews/sectionPreviews.ts";
import { Card } from "../parts/Card.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import type { PreviewSheetProps } from "./PreviewSheet.tsx";
import type { PreviewFrameProps } from "./PreviewFrame.tsx";
import { useIsWide } from "../parts/widths.ts";

type PreviewView = "both" | "desktop" | "phone";

interface PreviewProps {
  readonly section: PreviewName | readonly PreviewName[];
  readonly content: PageContent;
  /** The step of the enquiry form, counted from 0. */
  readonly step?: number;
  /** The note in the heading. True shows "Not saved yet". */
  readonly editedLabel?: boolean | string;
  readonly canShowBoth?: boolean;
  readonly checks?: readonly PreviewCheck[];
  /** True if the section fills the screen. Default: the frame is as high as its content. */
  readonly isFullScreen?: boolean;
  /** True if the preview scrolls inside its card. */
  readonly canScroll?: boolean;
  readonly css?: string;
  /** True if phones show the preview in the tab, as its main content, instead of a sheet. */
  readonly isInline?: boolean;
  readonly children?: ReactNode;
}

/** `<Preview section="hero" content={{ hero: draft.values }} editedLabel={draft.dirtyFields.length > 0} />` */
export function Preview(props: PreviewProps) {
  const {
    section,
    content,
    editedLabel = false,
    canShowBoth = false,
    checks = [],
    isFullScreen = false,
    css,
    step,
  } = props;
  const isWide = useIsWide();
  const [chosenView, setChosenView] = useState<PreviewView>();
  const view = chooseView(chosenView, canShowBoth && isWide, isWide);
  const note =
    typeof editedLabel === "string" ? editedLabel : editedLabel ? "Not saved yet" : undefined;
  const toggle = (
    <ViewToggle view={view} canShowBoth={canShowBoth && isWide} onChoose={setChosenView} />
  );
  const stage = (
    <div className="preview-stage" data-view={view} {...(props.canScroll && SCROLLING_PROPS)}>
      {DEVICE_CHOICES.filter(({ value }) => view === "both" || view === value).map(({ value }) => (
        <LazyPreviewFrame
          key={value}
          device={value}
          {...{ section, content, step, isFullScreen, css }}
          hasCaption={view === "both"}
        />
      ))}
    </div>
  );
  const footer = (
    <>
      <PreviewChecks checks={checks} />
      {props.children}
    </>
  );
  if (!isWide && !props.isInline)
    return (
      <LazyPreviewSheet note={note}>
        {stage}
        <div className="preview-view">{toggle}</div>
        {footer}
      </LazyPreviewSheet>
    );
  return (
    <Card title="Preview" note={note} isFlush className="preview" actions={toggle}>
      {stage}
      {footer}
    </Card>
  );
}

const LazyPreviewFrame = createLazyComponent<PreviewFrameProps>({
  subject: "the preview",
  loadCode: async () => (await import("./PreviewFrame.tsx")).PreviewFrame,
  placeholder: <Skeleton height="14rem" />,
});

export const LazyPreviewSheet = createLazyComponent<PreviewSheetProps>({
  subject: "the preview",
  loadCode: async () => (await import("./PreviewSheet.tsx")).PreviewSheet,
  placeholder: null,
});

/** Makes a scrolling preview focusable, so that keys can scroll it. */
const SCROLLING_PROPS = {
  "data-scrolls": "",
  role: "group",
  "aria-label": "Scrolling preview",
  tabIndex: 0,
} as const;

function chooseView(
  chosen: PreviewView | undefined,
  canShowBoth: boolean,
  isWide: boolean,
): PreviewView {
  if (chosen && (chosen !== "both" || canShowBoth)) return chosen;
  if (canShowBoth) return "both";
  return isWide ? "desktop" : "phone";
}

interface ViewToggleProps {
  readonly view: PreviewView;
  readonly canShowBoth: boolean;
  readonly onChoose: (view: PreviewView) => void;
}

function ViewToggle({ view, canShowBoth, onChoose }: ViewToggleProps) {
  const options = canShowBoth ? [BOTH_CHOICE, ...DEVICE_CHOICES] : DEVICE_CHOICES;
  return (
    <SegmentedControl label="Preview size" options={options} value={view} onChoose={onChoose} />
  );
}

const BOTH_CHOICE = { value: "both", label: "Both" } as const;

const DEVICE_CHOICES = [
  { value: "desktop", label: "Desktop", icon: Monitor },
  { value: "phone", label: "Mobile", icon: Smartphone },
] as const;

/** `detail` and `value` explain the result. */
export interface PreviewCheck {
  readonly isPassed: boolean;
  readonly result: string;
  readonly detail?: string;
  readonly value?: string;
}

export function PreviewChecks({ checks }: { checks: readonly PreviewCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className="checks pad stack border-top">
      {checks.map(({ isPassed, result, detail, value }) => (
        <li key={`${result} ${detail}`} className="row quiet small" data-ok={isPassed}>
          {isPassed ? (
            <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
          ) : (
            <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
          )}
          <span className="grow">
            <strong>{result}</strong> {detail}
          </span>
          {value && <span className="faint">{value}</span>}
        </li>
      ))}
    </ul>
  );
}
