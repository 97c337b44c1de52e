/** The button of a page's hero at the foot of a phone's screen, while neither hero, form nor footer is there. */
import { useShell } from "../shared/shell.ts";
import { CallToAction, type CallToActionProps } from "./parts/CallToAction.tsx";

interface DockProps extends Pick<CallToActionProps, "action"> {
  /** A second, quieter line beside the button. */
  readonly note: string;
  /** Of the note, where it is none of the owner's words. */
  readonly noteLang?: string | undefined;
}

/** Out of sight, and of the keyboard's way, until inline/scrolling.ts says that it is out (Dock.css). */
export function Dock({ action, note, noteLang }: DockProps) {
  const { site } = useShell();
  if (!action.buttonText) return null;
  return (
    <section className="dock" aria-label={action.buttonText}>
      <p dir="auto">
        <strong>{site.name}</strong>
        <span lang={noteLang}>{note}</span>
      </p>
      <CallToAction action={action} />
    </section>
  );
}
