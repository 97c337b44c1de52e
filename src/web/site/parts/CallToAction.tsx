/** The main button of a page, which leads to the enquiry form or to the owner's link. */
import { Link } from "@tanstack/react-router";
import { COACHING_PATH } from "../../../schema/sections/pageOrder.ts";
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { addColon } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { createPackageAnchor, type LinkedPackage } from "./packageAnchor.ts";
import { TextLine } from "./TextLine.tsx";

/** A button without text isn't shown; a button without a link leads to the form. */
export interface CallToActionProps {
  readonly action: { readonly buttonText: string | null; readonly buttonLink: string | null };
  /** The package of the button, if any. Its title is in the accessible name, its id in the link to the form. */
  readonly linkedPackage?: LinkedPackage;
  readonly className?: string;
}

/** Renders the button as a link in the same tab, so that Back returns to the page. */
export function CallToAction({ action, linkedPackage, className = "" }: CallToActionProps) {
  const { buttonText, buttonLink } = action;
  const { words } = useWords();
  if (!buttonText) return null;
  const address = toSafeUrl(buttonLink);
  const buttonProps = {
    className: `button ${className}`,
    "aria-label": linkedPackage && `${addColon(buttonText, words)} ${linkedPackage.title}`,
  };
  const label = (
    <>
      <span dir="auto">
        <TextLine text={buttonText} />
      </span>
      <Arrow />
    </>
  );
  if (address)
    return (
      <a href={address} {...buttonProps}>
        {label}
      </a>
    );
  return (
    <Link
      to={COACHING_PATH}
      hash={linkedPackage ? createPackageAnchor(linkedPackage.id) : "enquiry"}
      {...buttonProps}
    >
      {label}
    </Link>
  );
}

/** The arrow of a button or an announcement that leads to another page. */
export function Arrow() {
  return (
    <svg className="button-arrow" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2 8h11M9 4l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

/** The buttons of a hero: the main one, and a secondary one that scrolls to content below. */
export function HeroActions({
  action,
  scrollTarget,
}: Pick<CallToActionProps, "action"> & {
  readonly scrollTarget?: { readonly id: string; readonly label: string } | undefined;
}) {
  const { lang } = useWords();
  if (!action.buttonText) return null;
  return (
    <div className="hero-actions">
      <CallToAction action={action} />
      {scrollTarget && (
        <a href={`#${scrollTarget.id}`} className="button quiet" lang={lang}>
          {scrollTarget.label}
        </a>
      )}
    </div>
  );
}
