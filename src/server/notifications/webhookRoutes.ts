/** The owner's routes for the webhook. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { boundedText, parseUntilError } from "../../schema/core/boundedText.ts";
import { NOT_TEXT_MESSAGE } from "../../schema/kinds/kind.ts";
import { completeUrl } from "../../schema/core/safeUrl.ts";
import type { WebhookUpdate, WebhookState, WebhookTest } from "../../schema/api/mailResponses.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readFields } from "../http/body.ts";
import { conflict, invalidInput } from "../shared/errors.ts";
import { DeliveryError } from "../mail/transports/deliveryError.ts";
import { findExternalUrlProblem } from "./externalRequest.ts";
import { getWebhookHost, type SiteWebhook } from "./webhook.ts";

interface WebhookRoutesContext {
  readonly guard: AccessGuard;
  readonly webhook: SiteWebhook;
}

const urlSchema = v.object({
  url: v.pipe(boundedText(2000, NOT_TEXT_MESSAGE), v.transform(completeUrl)),
});

/**
 * `POST /api/mail/webhook {url}` sets the URL, `…/secret` creates a new secret, `…/test` sends an example. Changes need
 * a confirmed password, since visitors' answers are sent to the URL.
 */
export function createWebhookRoutes({ guard, webhook }: WebhookRoutesContext) {
  return new Elysia({ prefix: "/api/mail/webhook" })
    .use(guard)
    .post(
      "",
      async ({ request, logAudit }): Promise<WebhookUpdate> => {
        const url = await readUrl(request, webhook.canUsePrivateNetwork);
        const secret = await webhook.setUrl(url);
        logAudit("settings", "changed the webhook", getWebhookHost(webhook.getWebhook()));
        return { webhook: createWebhookState(webhook), secret: secret ?? null };
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .post(
      "/secret",
      async ({ logAudit }): Promise<WebhookUpdate> => {
        assertWebhook(webhook);
        const secret = await webhook.rotateSecret();
        logAudit("settings", "created a new secret for the webhook");
        return { webhook: createWebhookState(webhook), secret };
      },
      { owner: "reauthenticated" },
    )
    .delete(
      "",
      async ({ logAudit }): Promise<WebhookUpdate> => {
        await webhook.removeWebhook();
        logAudit("settings", "turned off the webhook");
        return { webhook: null, secret: null };
      },
      { owner: "reauthenticated" },
    )
    .post(
      "/test",
      async ({ request, server }): Promise<WebhookTest> => {
        assertWebhook(webhook);
        // Turns off Bun's timeout, which could end the connection while the test waits. The test has its own timeout.
        server?.timeout(request, 0);
        try {
          await webhook.sendTest();
          return { ok: true, problem: null, said: null };
        } catch (error) {
          if (!(error instanceof DeliveryError)) throw error;
          return { ok: false, problem: error.message, said: error.response };
        }
      },
      { owner: true },
    );
}

export function createWebhookState(webhook: SiteWebhook): WebhookState | null {
  const current = webhook.getWebhook();
  return current ? { url: current.url, since: current.since } : null;
}

function assertWebhook(webhook: SiteWebhook): void {
  if (!webhook.getWebhook()) throw conflict(NO_WEBHOOK_MESSAGE);
}

async function readUrl(request: Request, canUsePrivateNetwork: boolean): Promise<string> {
  const outcome = parseUntilError(urlSchema, await readFields(request));
  const enteredUrl = outcome.success ? outcome.output.url : "";
  const problem = await findExternalUrlProblem(enteredUrl, canUsePrivateNetwork);
  if (problem !== undefined) throw invalidInput(problem, { url: problem });
  return new URL(enteredUrl).href;
}

const NO_WEBHOOK_MESSAGE = "No webhook is set up yet. Enter its URL first.";
