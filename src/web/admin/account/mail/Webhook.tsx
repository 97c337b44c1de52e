/** The webhook for new enquiries: its URL, secret and test. */
import { useState } from "react";
import type { WebhookState, WebhookTest } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { removeWebhook, renewWebhookSecret, setWebhook, testWebhook } from "./mail.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";

export function WebhookCard({ webhook }: { webhook: WebhookState | null }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card
      title="Webhook"
      note="sends new submissions to another app"
      actions={webhook && <Badge tone="ok">On</Badge>}
    >
      <div className="fields">
        <WebhookUrlForm webhook={webhook} onSecretCreated={setSecret} />
        {webhook && secret !== null && (
          <output className="stack small">
            <span className="quiet">
              Each request is signed with this secret (Standard Webhooks). Copy it now; it won't be
              shown again.
            </span>
            <CopyButton subject="Signing secret" text={secret} />
          </output>
        )}
        {webhook && <WebhookActions onSecretCreated={setSecret} />}
      </div>
    </Card>
  );
}

interface WebhookUrlFormProps {
  readonly webhook: WebhookState | null;
  readonly onSecretCreated: (secret: string | null) => void;
}

function WebhookUrlForm({ webhook, onSecretCreated }: WebhookUrlFormProps) {
  const form = useForm(useFormValues({ url: webhook?.url ?? "" }), {
    save: async ({ url }) => onSecretCreated(await setWebhook(url)),
    success: "Webhook saved",
    failure: "Couldn't save the webhook",
  });
  return (
    <Form form={form} className="stack gap-12">
      <TextField
        name="url"
        label="Webhook URL"
        hint="New submissions are sent to this URL as JSON. Failed requests are retried for two days."
        type="url"
        autoComplete="off"
        placeholder="https://"
      />
      <SubmitButton
        variant="neutral"
        disabled={form.values.url.trim() === ""}
        pendingLabel="Saving..."
      >
        Save webhook
      </SubmitButton>
    </Form>
  );
}

function WebhookActions({ onSecretCreated }: Pick<WebhookUrlFormProps, "onSecretCreated">) {
  const [result, setResult] = useState<WebhookTest | null>(null);
  const [isTesting, sendTest] = useAction(
    async () => {
      setResult(null);
      setResult(await testWebhook());
    },
    { failure: "Couldn't send the test" },
  );
  const [isRenewing, renewSecret] = useAction(
    async () => onSecretCreated(await renewWebhookSecret()),
    {
      failure: "Couldn't create a new secret",
    },
  );
  const [isTurningOff, turnOff] = useAction(removeWebhook, {
    success: "Webhook turned off",
    failure: "Couldn't turn off the webhook",
  });
  const isPending = isTesting || isRenewing || isTurningOff;
  return (
    <>
      <div aria-live="polite">{result && <TestResult {...result} />}</div>
      <div className="actions">
        <Button variant="quiet" isPending={isPending} onClick={turnOff}>
          Turn off webhook
        </Button>
        <Button variant="quiet" isPending={isPending} onClick={renewSecret}>
          Create new secret
        </Button>
        <Button isPending={isPending} onClick={sendTest}>
          Send test
        </Button>
      </div>
    </>
  );
}

function TestResult({ ok, problem, said }: WebhookTest) {
  return (
    <>
      <p>{ok ? "The test was delivered." : problem}</p>
      {said && <p className="quiet">"{said}"</p>}
    </>
  );
}
