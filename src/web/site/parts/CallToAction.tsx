/** The button that asks a visitor to do something: to the enquiry form, or to a link of the owner's. */
import { Link } from "@tanstack/react-router";
import { safeUrl } from "../../../schema/safeUrl.ts";
import { useWords } from "../../words/siteWords.ts";
import { aboutPlace } from "./aboutPlace.ts";
import { Words } from "./Words.tsx";

/** Words and target as both heroes hold them; without words there is no button, without a link it is the form. */
export interface CallToActionProps {
  readonly action: { readonly buttonText: string | null; readonly buttonLink: string | null };
  /** The package that it belongs to, where several buttons say the same: part of its name, and what the form is told. */
  readonly about?: { readonly id: string; readonly title: string };
  readonly className?: string;
}

/** A booking calendar opens in place of the page, so that Back leads here again. */
export function CallToAction({ action, about, className = "" }: CallToActionProps) {
  const { buttonText, buttonLink } = action;
  if (!buttonText) return null;
  const address = safeUrl(buttonLink);
  const look = {
    className: `button ${className}`,
    "aria-label": about && `${buttonText}: ${about.title}`,
  };
  const words = (
    <>
      <span dir="auto">
        <Words text={buttonText} />
      </span>
      <Arrow />
    </>
  );
  if (address)
    return (
      <a href={address} {...look}>
        {words}
      </a>
    );
  return (
    <Link to="/coaching" hash={about ? aboutPlace(about.id) : "enquiry"} {...look}>
      {words}
    </Link>
  );
}

/** Says that a press leads on. */
export function Arrow() {
  return (
    <svg className="button-arrow" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2 8h11M9 4l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}

/** What stands in a hero at the right: the button, and a quiet one to what the page shows further down. */
export function HeroActions({
  action,
  down,
}: Pick<CallToActionProps, "action"> & {
  readonly down?: { readonly id: string; readonly label: string } | undefined;
}) {
  const { lang } = useWords();
  if (!action.buttonText) return null;
  return (
    <div className="hero-actions">
      <CallToAction action={action} />
      {down && (
        <a href={`#${down.id}`} className="button quiet" lang={lang}>
          {down.label}
        </a>
      )}
    </div>
  );
}
