/** The calls of an entity of which there is one: GET and POST `/api/{name}` (spec section 7). */
import { Elysia, type AnyElysia } from "elysia";
import type { Singleton } from "../../schema/entity.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import { isoTime } from "../http/clock.ts";
import { etagOf } from "../http/etag.ts";
import { noSession } from "../http/refusal.ts";
import { changedValues, type Values } from "./checkContent.ts";
import { requireMatch } from "./ifMatch.ts";
import type { ContentParts } from "./parts.ts";
import { stamps } from "./stamps.ts";
import { visitorView } from "../../schema/visitorView.ts";

/** POST merges what is sent into what is stored, and answers the whole. */
export function singletonCalls(
  entity: Singleton,
  { store, guard, clock }: ContentParts,
): AnyElysia {
  const document = store.document<Values>(entity.name);
  const path = `/api/${entity.name}` as const;
  return new Elysia()
    .use(guard)
    .get(
      path,
      ({ viewer }) => {
        if (!viewer && entity.readers === "owner") throw noSession();
        const { value } = document.read();
        return viewer ? value : visitorView(entity, value);
      },
      { viewer: true },
    )
    .post(
      path,
      async ({ request, set }) => {
        const values = changedValues(entity, await readJson(request, DASHBOARD_JSON));
        const saved = await document.update((current) => {
          requireMatch(request, current);
          const next = { ...current, ...values, ...stamps(entity, "save", isoTime(clock)) };
          return Bun.deepEquals(next, current) ? current : next;
        });
        set.headers.etag = etagOf(saved.value);
        return saved.value;
      },
      { owner: true },
    );
}
