/** Parts shared by the list of newsletters and an open newsletter: badge, button, address, texts about sending. */
import type {
  LetterSummary,
  LetterDetail,
  LettersState,
} from "../../../../schema/api/letterResponses.ts";
import { LETTER_STATES, type LetterState } from "../../../../schema/people/letters.ts";
import { formatNumber, formatCount } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { changeLetterState } from "./letterCalls.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge } from "../../parts/Card.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import type { FieldState } from "../../../ui/Field.tsx";
import { joinList } from "../../../shared/joinList.ts";

export const formatPeopleCount = (count: number) =>
  count === 1 ? "1 person" : `${formatNumber(count)} people`;

interface LetterStateButtonProps {
  readonly letter: LetterSummary;
  readonly action: "pause" | "resume" | "cancel";
  readonly label: string;
  readonly isPrimary?: boolean;
}

export function LetterStateButton({
  letter,
  action,
  label,
  isPrimary = false,
}: LetterStateButtonProps) {
  const [isPending, changeState] = useAction(() => changeLetterState(letter.id, action), {
    failure: "Couldn't change this newsletter. Try again.",
  });
  return (
    <Button variant={isPrimary ? "primary" : "neutral"} isPending={isPending} onClick={changeState}>
      {label}
    </Button>
  );
}

const TONE_BY_STATE = {
  draft: "neutral",
  scheduled: "info",
  sending: "info",
  paused: "warn",
  sent: "ok",
} as const;

export const getStateLabel = (state: LetterState) =>
  LETTER_STATES.find(({ value }) => value === state)?.label ?? "";

export function LetterBadge({ letter: { state } }: { letter: LetterSummary }) {
  return <Badge tone={TONE_BY_STATE[state]}>{getStateLabel(state)}</Badge>;
}

/** The server has the same limit. */
const MAX_ADDRESS_LENGTH = 300;

/** Without `state`, the value is in the form around the field. */
export function PostalAddressField({ state }: { readonly state?: FieldState<string> }) {
  return (
    <LongTextField
      {...(state ? { state } : { name: "postalAddress" })}
      label="Postal address"
      hint="Appears at the end of every newsletter, as required by law."
      maxCharacters={MAX_ADDRESS_LENGTH}
      isCounted
      rows={3}
      dir={undefined}
      autoComplete="street-address"
    />
  );
}

/** Returns a text such as "about 5 minutes"; null if sending takes less than a minute. `pace` is emails per minute. */
export function formatSendingTime(count: number, pace: number | null): string | null {
  const minutes = pace === null ? 0 : count / pace;
  if (minutes < 1) return null;
  if (minutes < 90) return `about ${formatCount(Math.ceil(minutes), "minute")}`;
  return `about ${formatCount(Math.ceil(minutes / 60), "hour")}`;
}

/** Returns a text such as "Not included: 3 unsubscribed."; null if all subscribers are included. */
export function createExcludedMessage({
  unsubscribed,
  pending,
  unreachable,
}: LettersState): string | null {
  const excludedCounts = [
    unsubscribed > 0 && `${unsubscribed} unsubscribed`,
    pending > 0 && `${pending} pending`,
    unreachable > 0 && `${unreachable} undeliverable`,
  ].filter((kind) => kind !== false);
  if (excludedCounts.length === 0) return null;
  return `Not included: ${joinList(excludedCounts)}.`;
}

/** Returns why the newsletter can't be sent; null if it can. The server checks the same rules. */
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
