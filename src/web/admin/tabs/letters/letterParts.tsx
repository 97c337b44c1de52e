/** Shared by the list of newsletters and an open one: badge, button, number of people. */
import type { LetterSummary } from "../../../../schema/api/letterResponses.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { changeLetterState } from "./letters.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge } from "../../parts/Card.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import type { FieldState } from "../../../ui/Field.tsx";

export const formatPeople = (count: number) =>
  count === 1 ? "1 person" : `${formatNumber(count)} people`;

interface LetterStateButtonProps {
  readonly letter: LetterSummary;
  readonly step: "pause" | "resume" | "cancel";
  readonly label: string;
  readonly primary?: boolean;
}

export function LetterStateButton({
  letter,
  step,
  label,
  primary = false,
}: LetterStateButtonProps) {
  const [pending, move] = useAction(() => changeLetterState(letter.id, step), {
    failure: "Couldn't change this newsletter. Try again.",
  });
  return (
    <Button variant={primary ? "primary" : "neutral"} pending={pending} onClick={move}>
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

export const LETTER_LABELS = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  sent: "Sent",
} as const;

export function LetterBadge({ letter: { state } }: { letter: LetterSummary }) {
  return <Badge tone={TONE_BY_STATE[state]}>{LETTER_LABELS[state]}</Badge>;
}

/** The server's limit, in characters. */
const MAX_LENGTH = 300;

/** Without a state, the field belongs to the surrounding form. */
export function PostalAddressField({ state }: { readonly state?: FieldState<string> }) {
  return (
    <LongTextField
      {...(state ? { state } : { name: "postalAddress" })}
      label="Postal address"
      hint="Appears at the end of every newsletter, as required by law."
      most={MAX_LENGTH}
      isCounted
      rows={3}
      dir={undefined}
      autoComplete="street-address"
    />
  );
}
