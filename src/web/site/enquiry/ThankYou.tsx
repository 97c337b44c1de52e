/** The card after sending (spec section 4). */
import { useEffect } from "react";
import { DEFAULT_THANK_YOU } from "../../../schema/questions.ts";
import { safeUrl } from "../../../schema/safeUrl.ts";
import { Button } from "../../ui/Button.tsx";
import type { LoadedEnquiry } from "./loadEnquiry.ts";

/** How long the card is read before the form's redirect is followed, in milliseconds. */
const READING_TIME = 4000;

/** `follows` false: the redirect is shown, not followed. */
export interface ThankYouProps {
  readonly form: LoadedEnquiry["form"];
  readonly onAgain: () => void;
  readonly follows: boolean;
}

/** Renders the card. */
export function ThankYou({ form, onAgain, follows }: ThankYouProps) {
  const redirect = safeUrl(form.redirectUrl);
  useEffect(() => {
    if (!redirect || !follows) return;
    const timer = setTimeout(() => window.location.assign(redirect), READING_TIME);
    return () => clearTimeout(timer);
  }, [redirect, follows]);
  return (
    <div className="enquiry-thanks">
      <h3 tabIndex={-1} data-heading>
        Thank You!
      </h3>
      <p>{form.thankYouMessage || DEFAULT_THANK_YOU}</p>
      {redirect && (
        <p>
          <a href={redirect}>Continue</a>
        </p>
      )}
      {/* A form of its own: without scripts the button fetches the page anew. */}
      <form
        method="get"
        action="/coaching"
        onSubmit={(event) => {
          event.preventDefault();
          onAgain();
        }}
      >
        <Button type="submit">Submit Another Response</Button>
      </form>
    </div>
  );
}
