/** Encrypts the stored secrets of authenticator apps ("seeds"), if DATA_KEY is set. */
import { pluralize } from "../../schema/core/formatNumber.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { DataKey } from "../shared/dataKey.ts";
import type { Store } from "../storage/store.ts";

type User = Item<"users">;
type Totp = NonNullable<User["totp"]>;

/** Binds the encryption to the user, so that a seed copied into another account can't be decrypted. */
const sealPurpose = (userId: string) => `seed ${userId}`;

export const sealTotpSecret = (dataKey: DataKey, userId: string, seed: string): string =>
  dataKey.seal(seed, sealPurpose(userId));

/** Returns a user's authenticator with its secret decrypted; undefined without one, or if another key encrypted it. */
export function unsealTotp(dataKey: DataKey, user: User): Totp | undefined {
  const { id, totp } = user;
  const secret = totp ? dataKey.unseal(totp.secret, sealPurpose(id)) : undefined;
  return totp && secret !== undefined ? { ...totp, secret } : undefined;
}

/** Encrypts all seeds with the configured key, or decrypts them without one. Logs how many can't be decrypted. */
export async function resealTotpSecrets(
  store: Store,
  dataKey: DataKey,
  log: (line: string) => void,
): Promise<void> {
  const users = store.of(entities.users);
  const usersWithSeed = users.read().value.filter(({ totp }) => totp !== null);
  const undecryptable = usersWithSeed.filter((user) => unsealTotp(dataKey, user) === undefined);
  if (undecryptable.length > 0)
    log(
      `DATA_KEY can't decrypt the authenticator secrets of ${pluralize(undecryptable.length, "account")}. Start with the key that encrypted them. Until then, these people must log in with a recovery code or a passkey.`,
    );
  const isUpToDate = ({ id, totp }: User) =>
    totp === null || dataKey.isSealedAsConfigured(totp.secret, sealPurpose(id));
  if (usersWithSeed.every((user) => undecryptable.includes(user) || isUpToDate(user))) return;
  await users.update((all) => all.map((user) => resealSecret(dataKey, user)));
  // Removes the earlier versions, which contain unencrypted seeds.
  await store.purgeOldVersions();
}

function resealSecret(dataKey: DataKey, user: User): User {
  const totp = unsealTotp(dataKey, user);
  return totp
    ? { ...user, totp: { ...totp, secret: sealTotpSecret(dataKey, user.id, totp.secret) } }
    : user;
}
