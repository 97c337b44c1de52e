/** The secrets of authenticator apps ("seeds") at rest: sealed by DATA_KEY if there is one. */
import { pluralize } from "../../schema/core/formatNumber.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { DataKey } from "../shared/dataKey.ts";
import type { Store } from "../storage/store.ts";

type User = Item<"users">;
type Totp = NonNullable<User["totp"]>;

/** A seed is bound to its user: moved into another account, it can't be opened. */
const purposeOf = (userId: string) => `seed ${userId}`;

export const sealTotpSecret = (dataKey: DataKey, userId: string, seed: string): string =>
  dataKey.seal(seed, purposeOf(userId));

/** Undefined if it was sealed with another key. */
export function unsealTotp(dataKey: DataKey, user: User): Totp | undefined {
  const { id, totp } = user;
  const secret = totp ? dataKey.unseal(totp.secret, purposeOf(id)) : undefined;
  return totp && secret !== undefined ? { ...totp, secret } : undefined;
}

/** Re-seals all seeds as the key demands; writes only if one differs. Logs how many can't be opened. */
export async function resealTotpSecrets(
  store: Store,
  dataKey: DataKey,
  log: (line: string) => void,
): Promise<void> {
  const users = store.of(entities.users);
  const withSeed = users.read().value.filter(({ totp }) => totp !== null);
  const closed = withSeed.filter((user) => unsealTotp(dataKey, user) === undefined);
  if (closed.length > 0)
    log(
      `DATA_KEY can't decrypt the authenticator secrets of ${pluralize(closed.length, "account")}. Start with the key that encrypted them. Until then, these people must log in with a recovery code or a passkey.`,
    );
  const isUpToDate = ({ id, totp }: User) =>
    totp === null || dataKey.isSealedAsConfigured(totp.secret, purposeOf(id));
  if (withSeed.every((user) => closed.includes(user) || isUpToDate(user))) return;
  await users.update((all) => all.map((user) => resealSecret(dataKey, user)));
  // Before the site is served, no file holds an unsealed one.
  await store.purgeOldVersions();
}

function resealSecret(dataKey: DataKey, user: User): User {
  const totp = unsealTotp(dataKey, user);
  return totp
    ? { ...user, totp: { ...totp, secret: sealTotpSecret(dataKey, user.id, totp.secret) } }
    : user;
}
