/** Checks the second factor of a login: an authenticator app's code, a passkey or a recovery code. */
import { randomInt } from "node:crypto";
import type { Clock } from "../shared/clock.ts";
import type { DataKey } from "../shared/secrets.ts";
import { entities } from "../../schema/index.ts";
import { conflict, Refusal } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { LoginThrottle } from "./loginThrottle.ts";
import { changeUser, type User, listUsers } from "./users.ts";
import type { CredentialResponse, Passkeys } from "./passkeys.ts";
import type { Passwords } from "./passwords.ts";
import { unsealTotp, parseCode, findMatchingTimeStep } from "./totp.ts";
import { isObject } from "../http/body.ts";

interface SecondFactorInput {
  readonly code?: unknown;
  readonly passkey?: unknown;
}

interface SecondFactorContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly passkeys: Passkeys;
  readonly throttle: LoginThrottle;
  readonly dataKey: DataKey;
  readonly passwords: Passwords;
}

const CODE_NEEDED_MESSAGE = "Enter the code from your authenticator app, or a recovery code.";
export const WRONG_CODE_MESSAGE = "That code didn't work. Wait for the next one, then try again.";
/** The message for a wrong code that doesn't have six digits, so it isn't from an authenticator app. */
const WRONG_RECOVERY_CODE_MESSAGE = "That code didn't work. Check it, or use another one.";
const CODES_UNAVAILABLE_MESSAGE =
  "This site can't check authenticator codes right now. Use a recovery code, or contact whoever runs the site.";
const WRONG_PASSKEY_MESSAGE = "The passkey wasn't accepted. Try again, or use a code.";

const createRefusal = (message: string) =>
  new Refusal("second_factor", message, { fields: { code: message } });

export const isSecondFactorRequired = (store: Store): boolean =>
  store.of(entities.loginRules).read().value.secondFactor;

export const hasSecondFactor = ({ totp, passkeys }: User): boolean =>
  totp !== null || passkeys.length > 0;

/** Whether a user must set up a second factor before doing anything else. */
export const isSecondFactorSetupRequired = (store: Store, user: User): boolean =>
  isSecondFactorRequired(store) && !hasSecondFactor(user);

/** Returns the changed user. Throws a 409 if the user has no second factor left although one is required. */
export function assertSecondFactorLeft(store: Store, changedUser: User): User {
  if (isSecondFactorSetupRequired(store, changedUser)) throw conflict(LAST_SECOND_FACTOR_MESSAGE);
  return changedUser;
}

const LAST_SECOND_FACTOR_MESSAGE =
  "This site requires two-factor authentication. Set up another method before you remove this one.";

/**
 * Whether a login needs a second factor. If the site doesn't require a second factor, a user who has only a passkey
 * isn't asked for the passkey, because losing it would lock the user out.
 */
export const shouldAskForSecondFactor = (store: Store, user: User) =>
  user.totp !== null || (isSecondFactorRequired(store) && user.passkeys.length > 0);

/**
 * Checks the second factor, if the user needs one; returns the action for the audit log. Only attempts with six-digit
 * codes are limited, because passkeys and recovery codes can't be guessed. Throws a 401 `second_factor`, or a 429.
 */
export async function requireSecondFactor(
  context: SecondFactorContext,
  user: User,
  input: SecondFactorInput,
  isTrustedDevice: boolean,
): Promise<string> {
  if (!shouldAskForSecondFactor(context.store, user)) return "logged in";
  const { code, passkey } = input;
  if (isPasskeyResponse(passkey)) {
    if (!(await verifyPasskey(context, user, passkey, false)))
      throw createRefusal(WRONG_PASSKEY_MESSAGE);
    return "logged in with password and passkey";
  }
  if (typeof code !== "string") throw createRefusal(CODE_NEEDED_MESSAGE);
  const parsedCode = parseCode(code);
  if (parsedCode === undefined) throw createRefusal(WRONG_RECOVERY_CODE_MESSAGE);
  if (!TOTP_CODE_PATTERN.test(parsedCode)) return consumeRecoveryCode(context, user, parsedCode);
  const attempt = isTrustedDevice ? undefined : context.throttle.admitCodeAttempt(user.id);
  const action = await consumeTotpCode(context, user, parsedCode);
  attempt?.markSucceeded();
  return action;
}

const TOTP_CODE_PATTERN = /^\d{6}$/;

export const isPasskeyResponse = (input: unknown): input is CredentialResponse =>
  isObject(input) && typeof input.id === "string";

/** Checks a code inside the update, so that only one of two simultaneous uses succeeds. */
async function consumeTotpCode(
  { store, clock, dataKey }: SecondFactorContext,
  user: User,
  digits: string,
) {
  if (user.totp && !unsealTotp(dataKey, user)) throw createRefusal(CODES_UNAVAILABLE_MESSAGE);
  const isAccepted = await changeUserIf(store, user.id, (each) => {
    const totp = unsealTotp(dataKey, each);
    const timeStep = totp && findMatchingTimeStep(digits, totp, clock());
    return timeStep === undefined || !each.totp
      ? undefined
      : { ...each, totp: { ...each.totp, lastUsedStep: timeStep } };
  });
  if (!isAccepted) throw createRefusal(WRONG_CODE_MESSAGE);
  return "logged in with a code";
}

async function consumeRecoveryCode(
  { store, passwords }: SecondFactorContext,
  user: User,
  typed: string,
) {
  const hash = await findMatchingHash(passwords, user, typed);
  if (hash === undefined) throw createRefusal(WRONG_RECOVERY_CODE_MESSAGE);
  const isAccepted = await changeUserIf(store, user.id, (each) => {
    const { recoveryCodes } = each;
    const hashes = removeHash(each, hash);
    return hashes && recoveryCodes
      ? { ...each, recoveryCodes: { ...recoveryCodes, hashes } }
      : undefined;
  });
  if (!isAccepted) throw createRefusal(WRONG_RECOVERY_CODE_MESSAGE);
  return "logged in with a recovery code";
}

/** Verifies a passkey's response and records the use. Returns false for another user's passkey or a wrong response. */
export async function verifyPasskey(
  { store, passkeys }: Pick<SecondFactorContext, "store" | "passkeys">,
  user: User,
  response: CredentialResponse,
  isPasswordless: boolean,
): Promise<boolean> {
  const passkey = user.passkeys.find(({ id }) => id === response.id);
  const updated = passkey && (await passkeys.verify(passkey, response, isPasswordless));
  if (!updated) return false;
  const replacePasskey = (each: User) =>
    each.passkeys.map((one) => (one.id === updated.id ? updated : one));
  // Replaces the passkey by its id, so a passkey that was removed in the meantime isn't stored again.
  await changeUser(store, user.id, (each) => ({ ...each, passkeys: replacePasskey(each) }));
  return true;
}

export function findPasskeyUser(store: Store, id: string): User | undefined {
  return listUsers(store).find((user) => user.passkeys.some((passkey) => passkey.id === id));
}

/** Changes a user unless `change` returns undefined. Returns whether the user was changed. */
async function changeUserIf(
  store: Store,
  userId: string,
  change: (user: User) => User | undefined,
): Promise<boolean> {
  let isChanged = false;
  await changeUser(store, userId, (user) => {
    const changedUser = change(user);
    isChanged = changedUser !== undefined;
    return changedUser ?? user;
  });
  return isChanged;
}

export const RECOVERY_CODE_COUNT = 10;

/** 31 characters that aren't easily confused. A code of ten random characters has 49 bits of entropy. */
const CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 10;

const chooseRandomCharacter = () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length));

/** Generates ten codes, such as "4k2m9-fqt7x". */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const code = Array.from({ length: CODE_LENGTH }, chooseRandomCharacter).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** Converts a code to lower case and removes separators, because people type codes in different ways. */
const normalizeCode = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Hashes a code for storage like a password, with its own salt (ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (passwords: Passwords, code: string): Promise<string> =>
  passwords.hash(normalizeCode(code));

async function findMatchingHash(
  passwords: Passwords,
  { recoveryCodes }: User,
  typed: string,
): Promise<string | undefined> {
  const code = normalizeCode(typed);
  if (code.length !== CODE_LENGTH) return undefined;
  for (const each of recoveryCodes?.hashes ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- stops at the first match
    if (await passwords.verify(code, each, "stranger")) return each;
  }
  return undefined;
}

/** Returns the user's hashes without `hash`; undefined if `hash` has been used in the meantime. */
function removeHash({ recoveryCodes }: User, hash: string): string[] | undefined {
  const { hashes = [] } = recoveryCodes ?? {};
  return hashes.includes(hash) ? hashes.filter((each) => each !== hash) : undefined;
}
