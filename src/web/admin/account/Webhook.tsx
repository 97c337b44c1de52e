/** Where new enquiries are posted to, for other programs: its address, its secret, a test. */
import { useState } from "react";
import type { WebhookState, WebhookTest } from "../../../schema/mailAnswers.ts";
import { CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { endWebhook, renewWebhookSecret, setWebhook, testWebhook } from "../data/mail.ts";
import { failureWords, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { usePending } from "../data/usePending.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { Copied } from "./Copied.tsx";

export function WebhookCard({ webhook }: { webhook: WebhookState | null }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card
      title="Webhook"
      note="new enquiries for another program"
      actions={webhook && <Badge tone="ok">On</Badge>}
    >
      <div className="fields">
        <WebhookAddress webhook={webhook} onSecret={setSecret} />
        {webhook && secret !== null && (
          <output className="webhook-secret">
            <span className="quiet">
              Each call is signed with this secret (Standard Webhooks). Copy it now: it is not shown
              again.
            </span>
            <Copied label="Signing secret" text={secret} />
          </output>
        )}
        {webhook && <WebhookActions onSecret={setSecret} />}
      </div>
    </Card>
  );
}

interface WebhookAddressProps {
  readonly webhook: WebhookState | null;
  readonly onSecret: (secret: string | null) => void;
}

function WebhookAddress({ webhook, onSecret }: WebhookAddressProps) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [wrong, setWrong] = useState<string>();
  const [pending, run] = usePending();
  const save = async () => {
    setWrong(undefined);
    try {
      onSecret(await setWebhook(url));
      toastSuccess("Webhook saved successfully");
    } catch (error) {
      setWrong(error instanceof CallFailed ? error.body.fields?.["url"] : undefined);
      toastFailure(error, failureWords(error, "Failed to save the webhook"));
    }
  };
  return (
    <form
      className="webhook-url"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <FieldFrame
        id="webhook-url"
        label="Post new enquiries to"
        error={wrong}
        hint="Each is sent there as JSON, at once, and tried again for two days."
      >
        <input
          id="webhook-url"
          type="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          disabled={pending}
          aria-invalid={wrong !== undefined || undefined}
          aria-describedby="webhook-url-note"
          onChange={({ target }) => setUrl(target.value)}
        />
      </FieldFrame>
      <Button type="submit" pending={pending} disabled={url.trim() === ""}>
        {pending ? "Saving..." : "Save webhook"}
      </Button>
    </form>
  );
}

function WebhookActions({ onSecret }: Pick<WebhookAddressProps, "onSecret">) {
  const [pending, run] = usePending();
  const [result, setResult] = useState<WebhookTest | null>(null);
  const test = async () => {
    setResult(null);
    try {
      setResult(await testWebhook());
    } catch (error) {
      toastFailure(error, "Failed to test the webhook");
    }
  };
  const renew = async () => {
    try {
      onSecret(await renewWebhookSecret());
    } catch (error) {
      toastFailure(error, "Failed to make a new secret");
    }
  };
  return (
    <>
      <div aria-live="polite">{result && <TestResult {...result} />}</div>
      <div className="dialog-actions">
        <Button variant="quiet" pending={pending} onClick={() => void run(end)}>
          Switch webhook off
        </Button>
        <Button variant="quiet" pending={pending} onClick={() => void run(renew)}>
          New secret
        </Button>
        <Button pending={pending} onClick={() => void run(test)}>
          Send an example
        </Button>
      </div>
    </>
  );
}

async function end(): Promise<void> {
  try {
    await endWebhook();
    toastSuccess("The webhook is off");
  } catch (error) {
    toastFailure(error, "Failed to switch the webhook off");
  }
}

function TestResult({ ok, problem, said }: WebhookTest) {
  return (
    <>
      <p>{ok ? "The example was taken." : problem}</p>
      {said && <p className="quiet">“{said}”</p>}
    </>
  );
}
