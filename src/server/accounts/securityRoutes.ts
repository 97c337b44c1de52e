/** A user's own login methods besides the password: authenticator app, recovery codes, passkeys. */
import { Elysia } from "elysia";
import * as v from "valibot";
import type { Passkey } from "../../schema/people/accounts.ts";
import { text } from "../../schema/kinds/fields.ts";
import { entities } from "../../schema/index.ts";
import { readCheckedJson, readFields } from "../http/body.ts";
import { getTimestamp } from "../shared/clock.ts";
import { BoundedMap } from "../shared/boundedMap.ts";
import { drawQr } from "../shared/drawQr.ts";
import { conflict, noLongerExists, invalidField } from "../shared/errors.ts";
import { MINUTE } from "../shared/time.ts";
import type { Accounts } from "./accounts.ts";
import type { Store } from "../storage/store.ts";
import { changeUser, type User, getUser } from "./users.ts";
import type { Passwords } from "./passwords.ts";
import {
  createRecoveryCodes,
  RECOVERY_CODE_COUNT,
  hashRecoveryCode,
  isSecondFactorRequired,
  assertSecondFactorLeft,
  shouldAskForSecondFactor,
  WRONG_CODE_MESSAGE,
} from "./secondFactor.ts";
import {
  sealTotpSecret,
  createKeyUri,
  createTotpSecret,
  parseCode,
  findMatchingTimeStep,
} from "./totp.ts";

const MAX_PASSKEYS = 20;

export function createSecurityRoutes(accounts: Accounts) {
  return new Elysia({ prefix: "/api/auth" })
    .use(accounts.guard)
    .get(
      "/security",
      ({ user }) => createSecurityOverview(accounts, getUser(accounts.store, user.userId)),
      { may: "secondFactor" },
    )
    .use(createAuthenticatorRoutes(accounts))
    .use(createRecoveryCodeRoutes(accounts))
    .use(createPasskeyRoutes(accounts));
}

function createSecurityOverview({ passkeys, store }: Accounts, user: User) {
  const { totp, recoveryCodes } = user;
  return {
    isAsked: isSecondFactorRequired(store),
    passkeys: user.passkeys.map(toPasskeyResponse),
    passkeysImpossible: passkeys.unavailableReason ?? null,
    authenticator: totp && { confirmedAt: totp.confirmedAt },
    recoveryCodes: recoveryCodes && {
      left: recoveryCodes.hashes.length,
      of: RECOVERY_CODE_COUNT,
      madeAt: recoveryCodes.madeAt,
    },
  };
}

/** POST `/authenticator` returns a secret with its QR code; POST `/authenticator/confirm {code}` turns it on. */
function createAuthenticatorRoutes(accounts: Accounts) {
  const { guard, visitorPlugin, store, clock, passwords, sessions, throttle, dataKey } = accounts;
  const unconfirmedSecrets = createUnconfirmedSecrets(clock);
  return new Elysia()
    .use(guard)
    .use(visitorPlugin)
    .post(
      "/authenticator",
      async ({ user }) => {
        const siteName = store.of(entities.site).read().value.name;
        const secret = unconfirmedSecrets.createSecret(user.sessionId);
        const address = createKeyUri(siteName, user.email, secret);
        return { secret, address, qr: await drawQr(address) };
      },
      { may: { reauthenticated: "secondFactor" }, parse: "none" },
    )
    .post(
      "/authenticator/confirm",
      async ({ request, user, visitor, logAudit }) => {
        const { code } = await readFields(request);
        const secret = unconfirmedSecrets.find(user.sessionId);
        if (secret === undefined) throw conflict("This took too long. Start over.");
        const attempt = throttle.admitAttempt(visitor, `session ${user.sessionId}`);
        const digits = parseCode(String(code)) ?? "";
        const step = findMatchingTimeStep(digits, { secret, lastUsedStep: 0 }, clock());
        if (step === undefined) throw invalidField("code", WRONG_CODE_MESSAGE);
        attempt.markSucceeded();
        const { codes, recoveryCodes } = await createHashedCodes(passwords, getTimestamp(clock));
        const sealed = sealTotpSecret(dataKey, user.userId, secret);
        const totp = { secret: sealed, confirmedAt: getTimestamp(clock), lastUsedStep: step };
        await changeUser(store, user.userId, (each) => {
          sessions.assertActive(user);
          return { ...each, totp, recoveryCodes };
        });
        unconfirmedSecrets.remove(user.sessionId);
        logAudit("people", "turned on an authenticator app");
        return { recoveryCodes: codes };
      },
      { may: "secondFactor", parse: "none" },
    )
    .delete(
      "/authenticator",
      async ({ user, set, logAudit }) => {
        const withoutAuthenticator = { totp: null, recoveryCodes: null };
        await changeUser(store, user.userId, (each) =>
          assertSecondFactorLeft(store, { ...each, ...withoutAuthenticator }),
        );
        logAudit("people", "turned off their authenticator app");
        set.status = 204;
      },
      { may: { reauthenticated: "account" } },
    );
}

function createRecoveryCodeRoutes({ guard, store, clock, passwords }: Accounts) {
  return new Elysia().use(guard).post(
    "/recovery-codes",
    async ({ user, logAudit }) => {
      // Also checked before the codes are generated, because generating them takes ten slow hashes.
      assertCanHaveRecoveryCodes(store, getUser(store, user.userId));
      const { codes, recoveryCodes } = await createHashedCodes(passwords, getTimestamp(clock));
      await changeUser(store, user.userId, (each) => {
        assertCanHaveRecoveryCodes(store, each);
        return { ...each, recoveryCodes };
      });
      logAudit("people", "created new recovery codes");
      return { recoveryCodes: codes };
    },
    { may: { reauthenticated: "account" }, parse: "none" },
  );
}

/** Throws a 409 unless the user's login asks for a second factor. */
function assertCanHaveRecoveryCodes(store: Store, user: User): void {
  if (!shouldAskForSecondFactor(store, user)) throw conflict("Set up an authenticator app first.");
}

async function createHashedCodes(passwords: Passwords, madeAt: string) {
  const codes = createRecoveryCodes();
  const hashes = await Promise.all(codes.map((code) => hashRecoveryCode(passwords, code)));
  return { codes, recoveryCodes: { madeAt, hashes } };
}

const UNCONFIRMED_TTL_MS = 15 * MINUTE;
const MAX_UNCONFIRMED_SECRETS = 100;

/** Stores each session's secret in memory until the user types a correct code. */
function createUnconfirmedSecrets(clock: () => number) {
  const secrets = new BoundedMap<string, { secret: string; expiresAt: number }>(
    MAX_UNCONFIRMED_SECRETS,
  );
  return {
    createSecret(sessionId: string): string {
      const secret = createTotpSecret();
      secrets.set(sessionId, { secret, expiresAt: clock() + UNCONFIRMED_TTL_MS });
      return secret;
    },
    find(sessionId: string): string | undefined {
      const entry = secrets.get(sessionId);
      return entry && clock() < entry.expiresAt ? entry.secret : undefined;
    },
    remove: (sessionId: string) => void secrets.delete(sessionId),
  };
}

/** A browser adds a passkey with POST `/passkeys/options` and then POST `/passkeys {name, answer}`. */
function createPasskeyRoutes({ guard, store, sessions, passkeys }: Accounts) {
  return new Elysia()
    .use(guard)
    .post(
      "/passkeys/options",
      ({ user }) => {
        const siteName = store.of(entities.site).read().value.name;
        return passkeys.getRegistrationOptions(getUser(store, user.userId), siteName);
      },
      { may: { reauthenticated: "secondFactor" }, parse: "none" },
    )
    .post(
      "/passkeys",
      async ({ request, user, set, logAudit }) => {
        const { name, answer } = await readCheckedJson(passkeyBodySchema, request, "name");
        const credential = await passkeys.register(getUser(store, user.userId), answer);
        const passkey = { ...credential, name };
        await store.of(entities.users).update((users) => {
          sessions.assertActive(user);
          return addPasskey(users, user.userId, passkey);
        });
        logAudit("people", "added a passkey");
        set.status = 201;
        return toPasskeyResponse(passkey);
      },
      { may: "secondFactor", parse: "none" },
    )
    .put(
      "/passkeys/:id",
      async ({ request, params, user }) => {
        const { name } = await readCheckedJson(passkeyBodySchema, request, "name");
        await changeUser(store, user.userId, (each) => {
          const passkey = requirePasskey(each, params.id);
          const index = each.passkeys.indexOf(passkey);
          return { ...each, passkeys: each.passkeys.with(index, { ...passkey, name }) };
        });
        return toPasskeyResponse(requirePasskey(getUser(store, user.userId), params.id));
      },
      { may: "account", parse: "none" },
    )
    .delete(
      "/passkeys/:id",
      async ({ params, user, set, logAudit }) => {
        await changeUser(store, user.userId, (each) => {
          const removed = requirePasskey(each, params.id);
          const passkeys = each.passkeys.filter((passkey) => passkey !== removed);
          return assertSecondFactorLeft(store, { ...each, passkeys });
        });
        logAudit("people", "removed a passkey");
        set.status = 204;
      },
      { may: { reauthenticated: "account" } },
    );
}

/** Throws a 404 if the passkey was removed. */
function requirePasskey({ passkeys }: User, id: string): Passkey {
  const passkey = passkeys.find((each) => each.id === id);
  if (!passkey) throw noLongerExists({ label: "Passkey" });
  return passkey;
}

/** Adds a passkey to a user. Throws a 409 if any account has a passkey with this id, or the user has too many. */
function addPasskey(users: User[], userId: string, passkey: Passkey): User[] {
  const user = users.find(({ id }) => id === userId);
  if (!user) throw noLongerExists(entities.users);
  const { passkeys } = user;
  if (passkeys.length >= MAX_PASSKEYS) throw conflict(TOO_MANY_PASSKEYS_MESSAGE);
  if (users.some((each) => each.passkeys.some(({ id }) => id === passkey.id)))
    throw conflict(DUPLICATE_PASSKEY_MESSAGE);
  return users.with(users.indexOf(user), { ...user, passkeys: [...passkeys, passkey] });
}

const DUPLICATE_PASSKEY_MESSAGE = "This passkey already belongs to an account on this site.";
const TOO_MANY_PASSKEYS_MESSAGE = `An account can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`;

const passkeyBodySchema = v.object({
  name: v.nullish(text("Name", { required: true, maxLength: 60 }).schema, ""),
  answer: v.optional(v.unknown()),
});

const toPasskeyResponse = ({ id, name, createdAt, lastUsedAt }: User["passkeys"][number]) => ({
  id,
  name,
  createdAt,
  lastUsedAt,
});
