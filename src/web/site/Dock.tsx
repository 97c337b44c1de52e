/** The button of a page's hero at the foot of a phone's screen, while neither hero, form nor footer is there. */
import { useEffect, useState } from "react";
import { useShell } from "../shared/shell.ts";
import { CallToAction, type CallToActionProps } from "./parts/CallToAction.tsx";

export interface DockProps extends Pick<CallToActionProps, "action"> {
  /** A second, quieter line beside the button. */
  readonly note: string;
}

/** Where the page has a button of its own, or ends. */
const WITHOUT = ".hero, #enquiry, .transformations-end, body > footer";

export function Dock({ action, note }: DockProps) {
  const { site } = useShell();
  const isOut = useNoneInView(WITHOUT);
  if (!action.buttonText) return null;
  return (
    <section
      className="dock"
      aria-label={action.buttonText}
      data-out={isOut ? "" : undefined}
      inert={!isOut}
    >
      <p dir="auto">
        <strong>{site.name}</strong>
        <span>{note}</span>
      </p>
      <CallToAction action={action} />
    </section>
  );
}

/** True while nothing that the selector finds is on the screen. */
function useNoneInView(selector: string): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    const inView = new Set<Element>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inView.add(target);
        else inView.delete(target);
      setOut(inView.size === 0);
    });
    for (const element of document.querySelectorAll(selector)) observer.observe(element);
    return () => observer.disconnect();
  }, [selector]);
  return isOut;
}
