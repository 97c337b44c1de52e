/** Creates the first owner from the settings, without the setup link. */
import { createOwner, findUser, usersOf } from "../accounts/owners.ts";
import { passwords } from "../accounts/passwords.ts";
import type { Config } from "../shared/config.ts";
import { isRefusal, wrongUsage } from "../shared/errors.ts";
import type { OpenSite } from "./openSite.ts";

type OwnersSettings = Pick<Config, "adminUsername" | "adminEmail" | "adminPassword">;

/**
 * Creates the owner of ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD if there is none. Of instances that start at
 * once, one succeeds; another with different settings says so. On failure it closes the site and throws
 * `wrong_usage`.
 */
export async function firstOwner(
  { adminUsername: username, adminEmail: email, adminPassword: password }: OwnersSettings,
  { store, close }: Pick<OpenSite, "store" | "close">,
  note: (line: string) => void,
): Promise<void> {
  if (!username && !email && !password) return;
  if (usersOf(store).read().value.length > 0) return;
  try {
    const context = { store, passwords: passwords(), clock: Date.now };
    await createOwner(context, { username, email, password }, { onlyFirst: true });
  } catch (error) {
    if (!isRefusal(error, "conflict")) {
      await close();
      throw wrongUsage(`ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD: ${(error as Error).message}`);
    }
    // The failed write has loaded the owner who was first.
    const [named, addressed] = [username, email].map((login) => findUser(store, login ?? ""));
    if (named === undefined || named !== addressed) note(NOT_USED);
  }
}

const NOT_USED =
  "ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD were not used: another instance has just made an owner with another name or address. Give all instances the same settings.";
