/** The second factor of a login: an authenticator app's code, a recovery code, or a passkey. */
import type { Clock } from "../shared/clock.ts";
import type { DataKey } from "../shared/dataKey.ts";
import { entities } from "../../schema/index.ts";
import { conflict, Refusal } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";
import type { LoginThrottle } from "./loginThrottle.ts";
import { changeUser, type User, usersDocument } from "./users.ts";
import type { CredentialResponse, Passkeys } from "./passkeys.ts";
import type { Passwords } from "./passwords.ts";
import { matchingHash, withoutHash } from "./recoveryCodes.ts";
import { unsealTotp } from "./totpSecrets.ts";
import { readCode, matchingTimeStep } from "./totp.ts";
import { isObject } from "../http/body.ts";

/** A login's second factor, unchecked. */
interface SecondFactor {
  readonly code?: unknown;
  readonly passkey?: unknown;
}

export interface SecondFactorContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly passkeys: Passkeys;
  readonly throttle: LoginThrottle;
  readonly dataKey: DataKey;
  readonly passwords: Passwords;
}

const NEEDED = "Enter the code from your authenticator app, or a recovery code.";
const WRONG = "That code didn't work. Wait for the next one, then try again.";
const CLOSED =
  "This site can't check authenticator codes right now. Use a recovery code, or contact whoever runs the site.";
const WRONG_PASSKEY = "The passkey wasn't accepted. Try again, or use a code.";

const refusal = (message: string) =>
  new Refusal("second_factor", message, { fields: { code: message } });

export const isSecondFactorRequired = (store: Store): boolean =>
  store.of(entities.loginRules).read().value.secondFactor;

/** An authenticator app, or a passkey. */
export const hasSecondFactor = ({ totp, passkeys }: User): boolean =>
  totp !== null || passkeys.length > 0;

/** Whether this person must set one up before anything else. */
export const mustSetUpSecondFactor = (store: Store, user: User): boolean =>
  isSecondFactorRequired(store) && !hasSecondFactor(user);

/** For a change that removes one: throws a 409 if it was the last and one is required. */
export function assertSecondFactorLeft(store: Store, after: User): User {
  if (mustSetUpSecondFactor(store, after)) throw conflict(LAST_ONE);
  return after;
}

const LAST_ONE =
  "This site requires two-factor authentication. Set up another method before you remove this one.";

/** With passkeys but no app, losing the device would lock them out, so it isn't demanded unless it is required. */
const isSecondFactorFor = (store: Store, user: User) =>
  user.totp !== null || (isSecondFactorRequired(store) && user.passkeys.length > 0);

/**
 * Accepts a user without a second factor, or with a valid one; returns how, for the audit log. Each try was already
 * counted with its password. Six digits can be guessed from many addresses, so strangers' codes are also counted per
 * account; passkeys and recovery codes, which can't be guessed, aren't. Throws a 401 `second_factor`, or a 429.
 */
export async function requireSecondFactor(
  context: SecondFactorContext,
  user: User,
  sent: SecondFactor,
  isTrustedDevice: boolean,
): Promise<string> {
  if (!isSecondFactorFor(context.store, user)) return "logged in";
  const { code, passkey } = sent;
  if (isPasskeyResponse(passkey)) {
    if (!(await usePasskey(context, user, passkey, false))) throw refusal(WRONG_PASSKEY);
    return "logged in with password and passkey";
  }
  if (typeof code !== "string") throw refusal(NEEDED);
  const typed = readCode(code);
  if (typed === undefined) throw refusal(WRONG);
  if (!SIX_DIGITS.test(typed)) return useRecoveryCode(context, user, typed);
  const attempt = isTrustedDevice ? undefined : context.throttle.attemptCode(user.id);
  const how = await useCode(context, user, typed);
  attempt?.succeeded();
  return how;
}

const SIX_DIGITS = /^\d{6}$/;

export const isPasskeyResponse = (sent: unknown): sent is CredentialResponse =>
  isObject(sent) && typeof sent.id === "string";

/** Uses a code; inside the update, so that of two uses of the same code one succeeds. */
async function useCode({ store, clock, dataKey }: SecondFactorContext, user: User, digits: string) {
  if (user.totp && !unsealTotp(dataKey, user)) throw refusal(CLOSED);
  const used = await changedIf(store, user.id, (each) => {
    const totp = unsealTotp(dataKey, each);
    const step = totp && matchingTimeStep(digits, totp, clock());
    return step === undefined || !each.totp
      ? undefined
      : { ...each, totp: { ...each.totp, lastUsedStep: step } };
  });
  if (!used) throw refusal(WRONG);
  return "logged in with a code";
}

async function useRecoveryCode(
  { store, passwords }: SecondFactorContext,
  user: User,
  typed: string,
) {
  const hash = await matchingHash(passwords, user, typed);
  if (hash === undefined) throw refusal(WRONG);
  const used = await changedIf(store, user.id, (each) => {
    const { recoveryCodes } = each;
    const hashes = withoutHash(each, hash);
    return hashes && recoveryCodes
      ? { ...each, recoveryCodes: { ...recoveryCodes, hashes } }
      : undefined;
  });
  if (!used) throw refusal(WRONG);
  return "logged in with a recovery code";
}

/** Uses one of a user's passkeys; false if it is another user's or can't be verified. */
export async function usePasskey(
  { store, passkeys }: Pick<SecondFactorContext, "store" | "passkeys">,
  user: User,
  answer: CredentialResponse,
  alone: boolean,
): Promise<boolean> {
  const passkey = user.passkeys.find(({ id }) => id === answer.id);
  const used = passkey && (await passkeys.verify(passkey, answer, alone));
  if (!used) return false;
  const replacePasskey = (each: User) =>
    each.passkeys.map((one) => (one.id === used.id ? used : one));
  // A passkey removed meanwhile isn't stored again.
  await changeUser(store, user.id, (each) => ({ ...each, passkeys: replacePasskey(each) }));
  return true;
}

export function ownerOfPasskey(store: Store, id: string): User | undefined {
  return usersDocument(store)
    .read()
    .value.find((user) => user.passkeys.some((passkey) => passkey.id === id));
}

/** Changes a user if `change` returns a new value; returns whether it did. */
async function changedIf(
  store: Store,
  userId: string,
  change: (user: User) => User | undefined,
): Promise<boolean> {
  let changed = false;
  await changeUser(store, userId, (user) => {
    const next = change(user);
    changed = next !== undefined;
    return next ?? user;
  });
  return changed;
}
