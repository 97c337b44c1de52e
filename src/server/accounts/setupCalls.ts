/** The calls of the setup page: is the link good, and make the first owner. */
import { Elysia } from "elysia";
import { checkChange } from "../../schema/check.ts";
import { entities, type Content } from "../../schema/index.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import { notFound } from "../http/refusal.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { currentUser } from "./loginCalls.ts";
import { createOwner } from "./owners.ts";
import type { Setup } from "./setup.ts";

const DEAD_LINK =
  "This link is no longer good. Start Limelight again to get a new one, or log in if the site has an owner.";

/** `GET /api/setup?token=`, `POST /api/setup`; without an open setup both answer 404. */
export function setupCalls({ visitors, ...accounts }: Accounts, setup: Setup | undefined) {
  const { store, sessions, cookie: sessionCookie } = accounts;
  return new Elysia({ prefix: "/api/setup" })
    .use(visitors)
    .get("", ({ request }) => {
      const token = new URL(request.url).searchParams.get("token");
      if (!setup?.accepts(token)) throw notFound(DEAD_LINK);
      return { ok: true };
    })
    .post("", async ({ request, visitor, set }) => {
      const sent = (await readJson(request, PUBLIC_JSON)) as Record<string, unknown> | null;
      if (!setup?.accepts(sent?.token)) throw notFound(DEAD_LINK);
      const { username, email, password } = sent!;
      const { name, alsoWrong } = siteName(sent!);
      const options = { onlyFirst: true, names: [name], alsoWrong };
      const user = await createOwner(accounts, { username, email, password }, options);
      setup.close();
      await nameSite(store, name);
      sessionCookie.set(set, await sessions.start(user, visitor.userAgent));
      set.status = 201;
      return currentUser(user);
    });
}

function siteName({ siteName }: Record<string, unknown>): {
  name: string;
  alsoWrong: Record<string, string>;
} {
  const checked = checkChange(entities.site, { name: siteName ?? "" });
  if (!checked.ok) return { name: "", alsoWrong: { siteName: checked.error } };
  return { name: checked.values.name as string, alsoWrong: {} };
}

/** The name goes where visitors see it, unless the hero has been written already. */
async function nameSite(store: Store, name: string): Promise<void> {
  await store.document<Content<"site">>("site").update((site) => ({ ...site, name }));
  await store
    .document<Content<"hero">>("hero")
    .update((hero, { revision }) =>
      revision === 1 ? { ...hero, mainTitle: name, subtitle: name } : hero,
    );
}
