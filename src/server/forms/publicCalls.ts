/** The calls of the public enquiry form. */
import { Elysia } from "elysia";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { VisitorPlugin } from "../http/visitorPlugin.ts";
import type { Store } from "../storage/store.ts";
import type { FillingTime } from "./fillingTime.ts";
import type { FloodGuards } from "./floodGuards.ts";
import { submitEnquiry } from "./submitEnquiry.ts";

/** What the calls stand on. */
export interface PublicFormParts {
  readonly store: Store;
  readonly visitor: VisitorPlugin;
  readonly guards: FloodGuards;
  readonly filling: FillingTime;
}

/**
 * POST /api/form-submissions stores an enquiry: 201 `{id}`. GET /api/filling-time gives a page the
 * proof of when someone began: `{started}`, to be sent along.
 */
export function publicFormCalls({ store, visitor, guards, filling }: PublicFormParts) {
  return new Elysia({ name: "public-form-calls" })
    .use(visitor)
    .get("/api/filling-time", ({ set }) => {
      set.headers["cache-control"] = "no-store";
      return { started: filling.begin() };
    })
    .post(
      "/api/form-submissions",
      async ({ request, visitor, status }) => {
        const body = await readJson(request, PUBLIC_JSON);
        return status(201, await submitEnquiry(store, guards, body, visitor));
      },
      { parse: "none" },
    );
}
