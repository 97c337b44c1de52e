/** The owner's routes for the webhook. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { boundedText, outcomeOf } from "../../schema/core/boundedText.ts";
import { NOT_TEXT } from "../../schema/kinds/kind.ts";
import { fullUrl } from "../../schema/core/safeUrl.ts";
import type { WebhookSet, WebhookState, WebhookTest } from "../../schema/api/mailResponses.ts";
import type { AccessGuard, Proof } from "../accounts/guard.ts";
import { readFields } from "../http/body.ts";
import { disableIdleTimeout } from "../http/listening.ts";
import { conflict, invalid } from "../shared/errors.ts";
import { DeliveryError } from "../mail/carriers/deliveryError.ts";
import { externalUrlProblem } from "./externalRequest.ts";
import { hostOf, type Webhooks } from "./webhook.ts";

interface WebhookRoutesContext {
  readonly guard: AccessGuard;
  readonly proof: Proof;
  readonly webhook: Webhooks;
}

const urlSchema = v.object({ url: v.pipe(boundedText(2000, NOT_TEXT), v.transform(fullUrl)) });

/**
 * `POST /api/mail/webhook {url}` sets the URL, `…/secret` makes a new secret, `DELETE` ends it, all with a proof, since
 * visitors' answers go there. `POST …/test` posts an example now.
 */
export function webhookRoutes({ guard, proof, webhook }: WebhookRoutesContext) {
  return new Elysia({ prefix: "/api/mail/webhook" })
    .use(guard)
    .post(
      "",
      async ({ request, owner, happened }): Promise<WebhookSet> => {
        proof.require(owner);
        const url = await readUrl(request, webhook.mayBeInside);
        const secret = await webhook.set(url);
        happened("settings", "changed the webhook", hostOf(webhook.current()));
        return { webhook: webhookStateOf(webhook), secret: secret ?? null };
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/secret",
      async ({ owner, happened }): Promise<WebhookSet> => {
        proof.require(owner);
        requireHook(webhook);
        const secret = await webhook.rotateSecret();
        happened("settings", "created a new secret for the webhook");
        return { webhook: webhookStateOf(webhook), secret };
      },
      { owner: true },
    )
    .delete(
      "",
      async ({ owner, happened }): Promise<WebhookSet> => {
        proof.require(owner);
        await webhook.remove();
        happened("settings", "turned off the webhook");
        return { webhook: null, secret: null };
      },
      { owner: true },
    )
    .post(
      "/test",
      async ({ request, server }): Promise<WebhookTest> => {
        requireHook(webhook);
        disableIdleTimeout({ request, server });
        try {
          await webhook.test();
          return { ok: true, problem: null, said: null };
        } catch (error) {
          if (!(error instanceof DeliveryError)) throw error;
          return { ok: false, problem: error.message, said: error.reply };
        }
      },
      { owner: true },
    );
}

export function webhookStateOf(webhook: Webhooks): WebhookState | null {
  const now = webhook.current();
  return now ? { url: now.url, since: now.since } : null;
}

function requireHook(webhook: Webhooks): void {
  if (!webhook.current()) throw conflict(NONE);
}

async function readUrl(request: Request, mayBeInside: boolean): Promise<string> {
  const outcome = outcomeOf(urlSchema, await readFields(request));
  const typed = outcome.success ? outcome.output.url : "";
  const wrong = await externalUrlProblem(typed, mayBeInside);
  if (wrong !== undefined) throw invalid(wrong, { url: wrong });
  return new URL(typed).href;
}

const NONE = "No webhook is set up yet. Enter its URL first.";
