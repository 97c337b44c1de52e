/** The setup page's routes, and the one-time link with which the first owner gets there. */
import { Elysia } from "elysia";
import { checkChange } from "../../schema/check.ts";
import { entities } from "../../schema/index.ts";
import { type Fields, readFields } from "../http/checkedBody.ts";
import type { Clock } from "../shared/clock.ts";
import { notFound } from "../shared/errors.ts";
import { expiring, signed } from "../shared/signed.ts";
import { MINUTE } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";
import type { Accounts } from "./accounts.ts";
import { createOwner, hasUser } from "./owners.ts";
import { logIn } from "./login.ts";

const DEAD_LINK =
  "This link no longer works. Restart Limelight for a new one, or log in if the site already has an owner.";

/** `POST /api/setup/token` tells whether a token is good, `POST /api/setup` uses it; 404 without an open setup. */
export function setupRoutes({ visitors, ...accounts }: Accounts, setup: Setup | undefined) {
  const { store } = accounts;
  return new Elysia({ prefix: "/api/setup" })
    .use(visitors)
    .post("/token", async ({ request }) => {
      const sent = await readFields(request);
      if (!setup?.accepts(sent.token)) throw notFound(DEAD_LINK);
      return { ok: true };
    })
    .post("", async ({ request, visitor, set }) => {
      const sent = await readFields(request);
      if (!setup?.accepts(sent.token)) throw notFound(DEAD_LINK);
      const { username, email, password } = sent;
      const { name, alsoWrong } = siteName(sent);
      const options = { onlyFirst: true, names: [name], alsoWrong };
      const user = await createOwner(accounts, { username, email, password }, options);
      setup.close();
      await nameSite(store, name);
      set.status = 201;
      return logIn(accounts, user, {
        request,
        visitor,
        session: undefined,
        set,
        how: "set up the site",
        sent,
      });
    });
}

function siteName({ siteName }: Fields): {
  name: string;
  alsoWrong: Record<string, string>;
} {
  const checked = checkChange(entities.site, { name: siteName ?? "" });
  if (!checked.ok) return { name: "", alsoWrong: { siteName: checked.error } };
  return { name: checked.values.name as string, alsoWrong: {} };
}

/** The hero shows the name too, and a welcome fills the site, unless the hero has already been edited. */
async function nameSite(store: Store, name: string): Promise<void> {
  await store.of(entities.site).update((site) => ({ ...site, name }));
  if (isWritten(store)) return;
  await store.of(entities.hero).update((each) => ({ ...each, mainTitle: name, subtitle: name }));
  await store.of(entities.welcome).update((each) => ({ ...each, state: "open", step: 1 }));
}

/** Whether there is anything of the site to be seen: its owner's, or content that was put in before there is one. */
export const isBegun = (store: Store): boolean => hasUser(store) || isWritten(store);

/** Whether the first screen has other words than every new site has. */
const isWritten = (store: Store): boolean => store.of(entities.hero).read().revision > 1;

const LINK_WORKS = 30 * MINUTE;

export interface Setup {
  /** A path with a token that begins now, for the log: `/admin/setup#token=…`. No browser sends on what stands after a #. */
  newPath(): string;
  /** True for the right token, in time, while there is no owner. */
  accepts(token: unknown): boolean;
  /** From now on the token is refused. */
  close(): void;
}

/**
 * Opens the setup, or returns undefined when the site has a user already. The token says until when it is
 * good and is signed, so that every instance takes the link that another one has shown.
 */
export async function openSetup(store: Store, clock: Clock): Promise<Setup | undefined> {
  if (hasUser(store)) return undefined;
  const tokens = expiring(signed(await store.secret(), "setup"), LINK_WORKS, clock);
  let open = true;
  return {
    newPath: () => `/admin/setup#token=${tokens.make()}`,
    accepts: (given) => open && !hasUser(store) && tokens.read(given) !== undefined,
    close: () => {
      open = false;
    },
  };
}
