/** The hero's button at the bottom of a phone's screen, shown while hero, form and footer are out of sight. */
import { usePageContext } from "../shared/pageContext.ts";
import { CallToAction, type CallToActionProps } from "./parts/CallToAction.tsx";

interface DockedButtonProps extends Pick<CallToActionProps, "action"> {
  /** The text in the line below the site's name, beside the button. */
  readonly note: string;
  /** The language of `note`; undefined if it is the owner's text. */
  readonly noteLang?: string | undefined;
}

/** The button is hidden, and can't be focused, until inline/scrolling.ts shows it (DockedButton.css). */
export function DockedButton({ action, note, noteLang }: DockedButtonProps) {
  const { site } = usePageContext();
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
