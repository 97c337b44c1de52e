/** Opens a site's mail in another process. */
import { createPasswordLinks } from "../../src/server/accounts/passwordReset.ts";
import { openMessaging } from "../../src/server/messaging.ts";

type Options = Parameters<typeof openMessaging>[0];

/** Opens the mail, by default with the machine's clock and without a log. */
export async function openMail(
  { store, config }: Pick<Options, "store" | "config">,
  overrides: Partial<Options> = {},
) {
  const passwordLinks = createPasswordLinks(store, await store.readSecret(), Date.now);
  return openMessaging({
    store,
    config,
    clock: Date.now,
    log: () => {},
    passwordLinks,
    ...overrides,
  });
}
