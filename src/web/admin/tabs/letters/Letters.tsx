/** The Newsletters subtab: the list and the settings, or the open newsletter. */
import ChevronRight from "lucide-react/icons/chevron-right";
import Mail from "lucide-react/icons/mail";
import Plus from "lucide-react/icons/plus";
import { useEffect } from "react";
import type { LettersState, LetterSummary } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { createLetter, useLetter, useLetters, useOpenLetter } from "./letterCalls.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import {
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { LetterComposer } from "./LetterComposer.tsx";
import css from "./Letters.css" with { type: "text" };
import { LetterBadge, LetterStateButton, formatPeopleCount } from "./letterStatus.tsx";
import { LetterResult } from "./LetterResult.tsx";
import { LetterSettings } from "./LetterSettings.tsx";
import { saveClosedLetterDrafts } from "./useLetterDraft.ts";

export function Letters() {
  useStylesheet(css);
  const { id } = useOpenLetter();
  return (
    <AsyncContent
      state={useLetters()}
      subject="the newsletters"
      loadingMessage="Loading newsletters..."
    >
      {(state) =>
        id ? (
          <OpenLetter id={id} state={state} />
        ) : (
          <div className="stack gap-16">
            <LetterList state={state} />
            <LetterSettings state={state} />
          </div>
        )
      }
    </AsyncContent>
  );
}

function OpenLetter({ id, state }: { id: string; state: LettersState }) {
  return (
    <AsyncContent
      state={useLetter(id)}
      subject="this newsletter"
      loadingMessage="Loading newsletter..."
    >
      {(letter) =>
        letter.state === "draft" ? (
          <LetterComposer key={id} letter={letter} state={state} />
        ) : (
          <LetterResult letter={letter} state={state} />
        )
      }
    </AsyncContent>
  );
}

function LetterList({ state }: { state: LettersState }) {
  useEffect(saveClosedLetterDrafts, []);
  const { open } = useOpenLetter();
  const [isPending, createDraft] = useAction(async () => open((await createLetter()).id), {
    failure: "Couldn't create a newsletter",
  });
  const createButton = (
    <Button variant="primary" isPending={isPending} onClick={createDraft}>
      <Plus size={16} aria-hidden="true" /> Write a newsletter
    </Button>
  );
  const { letters, active } = state;
  if (letters.length === 0)
    return (
      <Card title="Newsletters" isFlush>
        <EmptyState icon={Mail} title="No newsletters yet" action={createButton}>
          {active === 0 ? "No subscribers yet." : `Write to ${formatPeopleCount(active)}.`}
        </EmptyState>
      </Card>
    );
  return (
    <Card title="Newsletters" note={letters.length} actions={createButton} isFlush>
      <ul className="letters divided">
        {letters.map((letter) => (
          <LetterRow key={letter.id} letter={letter} onOpen={() => open(letter.id)} />
        ))}
      </ul>
    </Card>
  );
}

function LetterRow({ letter, onOpen }: { letter: LetterSummary; onOpen: () => void }) {
  const { subject, state, sent, total } = letter;
  const title = subject || "(No subject)";
  return (
    <li className="card-row row gap-12">
      <button type="button" className="letter-open gap-4 stack small grow" onClick={onOpen}>
        <strong dir="auto">{title}</strong>
        <span className="quiet">{describeLetter(letter)}</span>
        {state === "sending" && <progress max={total || 1} value={sent} aria-label="Sent" />}
      </button>
      {state === "sending" ? (
        <LetterStateButton letter={letter} action="pause" label="Pause" />
      ) : (
        <LetterBadge letter={letter} />
      )}
      <ChevronRight size={16} className="faint" aria-hidden="true" />
    </li>
  );
}

function describeLetter(letter: LetterSummary): string {
  const { state, changedAt, sendAt, finishedAt, sent, refused, unsubscribed, total } = letter;
  switch (state) {
    case "draft":
      return `Edited ${formatRelativeDateTimeInSentence(changedAt ?? "")}`;
    case "scheduled":
      return `Scheduled for ${formatRelativeDateTimeInSentence(sendAt ?? "")}`;
    case "sending":
    case "paused":
      return letter.problem ?? `${sent} of ${total} sent`;
    case "sent":
      return [
        formatRelativeDateTime(finishedAt ?? ""),
        `${sent} sent`,
        ...(refused > 0 ? [`${refused} rejected`] : []),
        ...(unsubscribed > 0 ? [`${unsubscribed} unsubscribed`] : []),
      ].join(" · ");
  }
}
