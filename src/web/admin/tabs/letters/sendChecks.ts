/** Texts about sending a newsletter: duration, excluded subscribers, missing requirements. */
import type { LetterDetail, LettersState } from "../../../../schema/api/letterResponses.ts";
import { pluralize } from "../../../../schema/core/formatNumber.ts";
import { joinList } from "../../../shared/joinList.ts";

/** "about 5 minutes"; null if sending takes less than a minute. */
export function formatDuration(count: number, pace: number | null): string | null {
  const minutes = pace === null ? 0 : count / pace;
  if (minutes < 1) return null;
  if (minutes < 90) return `about ${pluralize(Math.ceil(minutes), "minute")}`;
  return `about ${pluralize(Math.ceil(minutes / 60), "hour")}`;
}

/** "Not included: 3 unsubscribed." Null if everybody is included. */
export function createLeftOutMessage({
  unsubscribed,
  pending,
  unreachable,
}: LettersState): string | null {
  const kinds = [
    unsubscribed > 0 && `${unsubscribed} unsubscribed`,
    pending > 0 && `${pending} pending`,
    unreachable > 0 && `${unreachable} undeliverable`,
  ].filter((kind) => kind !== false);
  if (kinds.length === 0) return null;
  return `Not included: ${joinList(kinds)}.`;
}

/** Why the newsletter can't be sent; null if it can. The server checks the same rules. */
export function describeSendBlocker(
  letter: LetterDetail,
  state: LettersState,
  hasPostalAddress: boolean,
): string | null {
  if (!state.hasMail) return "Set up email first: Account menu > Email settings.";
  if (!state.hasAddress)
    return "Newsletters need the site's public URL for their links. Set SITE_URL on the server.";
  if (letter.subject === "") return "Add a subject first.";
  if (!letter.tested) return "Send yourself a test first, and check it.";
  if (!hasPostalAddress)
    return "Enter your postal address first. The law requires it in every newsletter.";
  return null;
}
