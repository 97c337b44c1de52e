/** Authenticator codes (RFC 6238) with SHA-1, six digits and 30 seconds, which all apps support. */
import { createHmac } from "node:crypto";
import { formatCount } from "../../schema/core/formatNumber.ts";
import { toAscii } from "../../schema/core/inputNormalization.ts";
import { entities } from "../../schema/index.ts";
import { constantTimeEqual, type DataKey } from "../shared/secrets.ts";
import type { Store } from "../storage/store.ts";
import type { User } from "./users.ts";

const TIME_STEP_MS = 30_000;
const BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns a new secret in base32: 20 random bytes, the length of a SHA-1 hash (RFC 4226, section 4, R6). */
export function createTotpSecret(): string {
  const bits = [...crypto.getRandomValues(new Uint8Array(20))]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  return bits.replace(/.{5}/g, (bitGroup) => BASE32_ALPHABET.charAt(Number.parseInt(bitGroup, 2)));
}

/** Decodes a base32 secret. Its length must be a multiple of 8. */
export function decodeTotpSecret(secret: string): Uint8Array {
  const bits = [...secret].map((character) =>
    BASE32_ALPHABET.indexOf(character).toString(2).padStart(5, "0"),
  );
  return Uint8Array.from(bits.join("").match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** In characters, including spaces and hyphens. */
const MAX_TYPED_CODE_LENGTH = 100;

/** Returns a typed code with ASCII digits and without spaces and hyphens; undefined if it is too long. */
export const parseCode = (typed: string): string | undefined =>
  typed.length > MAX_TYPED_CODE_LENGTH ? undefined : toAscii(typed).replaceAll(/[ -]/g, "");

/** Computes the code of a time step (RFC 4226, section 5.3). */
export function computeTotpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

export const computeTimeStep = (now: number) => Math.floor(now / TIME_STEP_MS);

/**
 * Returns the time step of a code: the current, the previous (RFC 6238, section 5.2) or the next one, because clocks
 * differ (section 6); undefined for any other code. Each code works once, because steps up to `lastUsedStep` are
 * ignored.
 */
export function findMatchingTimeStep(
  code: string,
  { secret, lastUsedStep }: { readonly secret: string; readonly lastUsedStep: number },
  now: number,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const bytes = decodeTotpSecret(secret);
  const currentStep = computeTimeStep(now);
  return [currentStep - 1, currentStep, currentStep + 1].find((step) => {
    const isSame = constantTimeEqual(computeTotpCode(bytes, step), code);
    return isSame && step > lastUsedStep;
  });
}

/** The content of the QR code, in the Key URI Format, which all apps read. */
export function createKeyUri(siteName: string, account: string, secret: string): string {
  const issuer = encodeURIComponent(siteName);
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?secret=${secret}&issuer=${issuer}`;
}

type Totp = NonNullable<User["totp"]>;

/** Binds a secret to its user: copied to another account, it can't be decrypted. */
const createSealPurpose = (userId: string) => `seed ${userId}`;

export const sealTotpSecret = (dataKey: DataKey, userId: string, secret: string): string =>
  dataKey.seal(secret, createSealPurpose(userId));

/** Returns a user's authenticator with its secret decrypted; undefined if unset or encrypted with another key. */
export function unsealTotp(dataKey: DataKey, user: User): Totp | undefined {
  const { id, totp } = user;
  const secret = totp ? dataKey.unseal(totp.secret, createSealPurpose(id)) : undefined;
  return totp && secret !== undefined ? { ...totp, secret } : undefined;
}

/** Encrypts all secrets with the configured key; without a key, decrypts them. Logs how many can't be decrypted. */
export async function resealTotpSecrets(
  store: Store,
  dataKey: DataKey,
  log: (line: string) => void,
): Promise<void> {
  const users = store.of(entities.users);
  const usersWithSecret = users.read().value.filter(({ totp }) => totp !== null);
  const undecryptable = usersWithSecret.filter((user) => unsealTotp(dataKey, user) === undefined);
  if (undecryptable.length > 0)
    log(
      `DATA_KEY can't decrypt the authenticator secrets of ${formatCount(undecryptable.length, "account")}. Start with the key that encrypted them. Until then, these people must log in with a recovery code or a passkey.`,
    );
  const isUpToDate = ({ id, totp }: User) =>
    totp === null || dataKey.isSealedAsConfigured(totp.secret, createSealPurpose(id));
  if (usersWithSecret.every((user) => undecryptable.includes(user) || isUpToDate(user))) return;
  await users.update((all) => all.map((user) => resealSecret(dataKey, user)));
  // Removes the earlier versions, which contain unencrypted secrets.
  await store.purgeOldVersions();
}

function resealSecret(dataKey: DataKey, user: User): User {
  const totp = unsealTotp(dataKey, user);
  return totp
    ? { ...user, totp: { ...totp, secret: sealTotpSecret(dataKey, user.id, totp.secret) } }
    : user;
}
