/** The form of one item: the focus goes into it when it opens in its list, and Enter saves. */
import type { ReactNode } from "react";

/** `inList`: it stands among the rows; a dialog takes care of the focus itself. */
export interface InlineFormProps {
  readonly inList?: boolean;
  readonly children: ReactNode;
}

/** Renders the form; its button of type "submit" is what Enter presses. */
export function InlineForm({ inList = false, children }: InlineFormProps) {
  return (
    <form
      ref={inList ? focusFirst : null}
      className={inList ? "row-form" : undefined}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
    </form>
  );
}

/** Stable, so that it runs when the form appears and never while it is typed in. */
function focusFirst(form: HTMLFormElement | null) {
  const card = form?.closest(".card");
  if (!(document.activeElement instanceof HTMLInputElement))
    form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  return () => {
    requestAnimationFrame(() => focusAdd(card));
  };
}

/** The button that opened the form was off meanwhile; rows give the focus back themselves. */
function focusAdd(card: Element | null | undefined): void {
  if (document.activeElement === document.body)
    card?.querySelector<HTMLElement>("[data-adds]")?.focus();
}
