/** The calls of the public enquiry form. */
import { Elysia } from "elysia";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { VisitorPlugin } from "../http/visitorPlugin.ts";
import type { FillingTime } from "./fillingTime.ts";
import type { FloodGuards } from "./floodGuards.ts";
import type { SubmissionStore } from "./storeSubmission.ts";
import { submitEnquiry } from "./submitEnquiry.ts";

/** What the calls stand on. */
export interface PublicFormParts extends SubmissionStore {
  readonly visitors: VisitorPlugin;
  readonly guards: FloodGuards;
  readonly filling: FillingTime;
}

/**
 * POST /api/form-submissions stores an enquiry: 201 `{id}`. GET /api/filling-time gives a page the
 * proof of when someone began: `{started}`, to be sent along.
 */
export function publicFormCalls({ store, clock, visitors, guards, filling }: PublicFormParts) {
  const to = { store, clock };
  return new Elysia({ name: "public-form-calls" })
    .use(visitors)
    .get("/api/filling-time", ({ set }) => {
      set.headers["cache-control"] = "no-store";
      return { started: filling.begin() };
    })
    .post(
      "/api/form-submissions",
      async ({ request, visitor, status }) => {
        const body = await readJson(request, PUBLIC_JSON);
        return status(201, await submitEnquiry(to, guards, body, visitor));
      },
      { parse: "none" },
    );
}
