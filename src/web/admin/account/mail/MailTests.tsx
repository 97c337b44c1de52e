/** Mail tests: a test email on request, with its steps, and a daily test email. */
import CircleCheck from "lucide-react/icons/circle-check";
import Circle from "lucide-react/icons/circle";
import CircleX from "lucide-react/icons/circle-x";
import { type ReactNode, useState } from "react";
import type { MailState, MailTest } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { MAIL_SAVE_MESSAGES, saveMail, sendTestMail } from "./mail.ts";
import { Card } from "../../parts/Card.tsx";
import { CheckboxField } from "../../parts/ChoiceFields.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";

export function MailTests({ state }: { state: MailState }) {
  const [result, setResult] = useState<MailTest | null>(null);
  const [isPending, send] = useAction(
    async () => {
      setResult(null);
      setResult(await sendTestMail());
    },
    { failure: "Couldn't send the test email" },
  );
  return (
    <Card
      title="Test"
      note="an email to yourself"
      actions={
        <Button variant="primary" isPending={isPending} onClick={send}>
          {isPending ? "Sending..." : "Send test email"}
        </Button>
      }
    >
      <div aria-live="polite">
        {result === null ? (
          <p className="quiet">
            {isPending
              ? "Sending a test email..."
              : `The test is sent from ${state.fromAddress}. Each step is shown here.`}
          </p>
        ) : (
          <TestResult result={result} />
        )}
      </div>
      <DailyTestSetting state={state} />
    </Card>
  );
}

function DailyTestSetting({ state }: { state: MailState }) {
  const [isPending, setDailyTest] = useAction(
    (selfTest: boolean) => saveMail({ selfTest }),
    MAIL_SAVE_MESSAGES,
  );
  const { isOn, last } = state.selfTest;
  return (
    <div className="mail-daily separated border-top">
      <CheckboxField
        state={{ value: isOn, setValue: setDailyTest, isPending }}
        label="Send me a daily test email and show a warning here if it fails"
      />
      {isOn && last && (
        <p {...(last.problem === null ? { className: "quiet" } : { "data-tone": "warn" })}>
          {describeDailyTest(last)}
          {last.said && ` "${last.said}"`}
        </p>
      )}
    </div>
  );
}

function describeDailyTest({
  state,
  at,
  problem,
}: NonNullable<MailState["selfTest"]["last"]>): string {
  if (state === "sent") return `Last sent ${formatRelativeDateTimeInSentence(at)}.`;
  return problem ?? "The daily test email is being sent.";
}

function TestResult({ result }: { result: MailTest }) {
  return (
    <>
      <ol className="mail-steps stack">
        {result.steps.map(({ step, label, state }) => (
          <li
            key={step}
            className={`row align-start gap-12 medium ${state === "not tried" ? "quiet" : ""}`}
            data-state={state}
          >
            {STEP_ICONS[state]}
            <div>
              <span>{label}</span>
              <span className="visually-hidden">: {STEP_LABELS[state]}</span>
              {state === "failed" && <p>{result.problem}</p>}
              {state === "failed" && result.said && (
                <p className="quiet">The server said: "{result.said}"</p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {result.ok && <p className="mt-12">Test email sent. Check your inbox.</p>}
    </>
  );
}

const STEP_ICONS: Readonly<Record<MailTest["steps"][number]["state"], ReactNode>> = {
  done: <CircleCheck size={18} data-tone="ok" aria-hidden="true" />,
  failed: <CircleX size={18} data-tone="bad" aria-hidden="true" />,
  "not tried": <Circle size={18} aria-hidden="true" />,
};

const STEP_LABELS = { done: "passed", failed: "failed", "not tried": "skipped" } as const;
