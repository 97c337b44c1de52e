/** Passkeys (WebAuthn), registered for this site's host name. The library is loaded on first use. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Passkey } from "../../schema/people/accounts.ts";
import type { Item } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, invalidInput } from "../shared/errors.ts";
import type { Channel } from "../shared/instanceCoordinator.ts";
import { createExpiringTokenSigner } from "../shared/signedTokens.ts";
import { MINUTE } from "../shared/time.ts";

/** A browser's response to a challenge. The library checks its content. */
export type CredentialResponse = { readonly id: string } & Record<string, unknown>;

export type Passkeys = ReturnType<typeof createPasskeys>;

interface PasskeyOptions {
  readonly siteUrl: string | undefined;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** Sends each used challenge to the site's other instances, so that no instance accepts it again. */
  readonly channel: Channel;
}

const NO_ADDRESS_REASON =
  "Passkeys are tied to the site's address, which isn't set. Set SITE_URL and restart Limelight.";
const NO_HOST_NAME_REASON =
  "Passkeys require a host name, but SITE_URL has an IP address. Change SITE_URL and restart Limelight.";
const NO_HTTPS_REASON = "Passkeys require HTTPS. Set up a certificate first.";

/** EdDSA, ES256 and RS256. Every authenticator supports one of them. Excludes ML-DSA, whose keys take 2 KB. */
const COSE_ALGORITHMS = [-8, -7, -257];

/** Loads the polyfill `reflect-metadata` first, because in the executable the library imports it too late. */
async function loadPasskeyLibrary() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

type Challenges = ReturnType<typeof createSignedChallenges>;

export function createPasskeys({ siteUrl, secret, clock, channel }: PasskeyOptions) {
  const challenges = createSignedChallenges(secret, clock, channel);
  const unavailableReason = describePasskeyProblem(siteUrl);
  const getExpectedOrigin = () => {
    if (unavailableReason !== undefined || siteUrl === undefined)
      throw conflict(unavailableReason ?? NO_ADDRESS_REASON);
    return { expectedOrigin: siteUrl, expectedRPID: new URL(siteUrl).hostname };
  };
  const formatNow = () => new Date(clock()).toISOString();
  return {
    /** The reason why passkeys can't be used, as a message; undefined if they can be used. */
    unavailableReason,
    /** Returns the options for a browser to create a passkey. Throws a 409 if passkeys can't be used. */
    async getRegistrationOptions(user: Item<"users">, siteName: string) {
      const { expectedRPID: rpID } = getExpectedOrigin();
      const { generateRegistrationOptions } = await loadPasskeyLibrary();
      return generateRegistrationOptions({
        rpID,
        rpName: siteName,
        challenge: challenges.create(`register ${user.id}`),
        userName: user.username,
        userID: new TextEncoder().encode(user.id),
        attestationType: "none",
        excludeCredentials: user.passkeys,
        // The device stores the passkey, so a login needs no username.
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
        supportedAlgorithmIDs: COSE_ALGORITHMS,
      });
    },
    /** Returns the passkey that a browser created for a user; the caller adds its name. Throws a 409 or a 422. */
    async register(user: Item<"users">, response: unknown) {
      const credential = await verifyCredential(getExpectedOrigin(), challenges, user.id, response);
      const { id, publicKey, counter, transports = [] } = credential;
      const key = Buffer.from(publicKey).toString("base64url");
      return { id, publicKey: key, counter, transports, createdAt: formatNow(), lastUsedAt: null };
    },
    /** Returns the options for a browser to log in with a passkey, alone or after a password. Throws a 409. */
    async getLoginOptions(isPasswordless: boolean) {
      const { expectedRPID: rpID } = getExpectedOrigin();
      const { generateAuthenticationOptions } = await loadPasskeyLibrary();
      return generateAuthenticationOptions({
        rpID,
        challenge: challenges.create("login"),
        userVerification: isPasswordless ? "required" : "preferred",
      });
    },
    /**
     * Returns the passkey with its updated counter; undefined if the response is invalid. With `isPasswordless`, the
     * device must have verified its user (face, finger, PIN).
     */
    async verify(passkey: Passkey, response: CredentialResponse, isPasswordless: boolean) {
      if (unavailableReason !== undefined) return undefined;
      const counter = await verifyCounter(getExpectedOrigin(), challenges, passkey, {
        response,
        isPasswordless,
      });
      return counter === undefined ? undefined : { ...passkey, counter, lastUsedAt: formatNow() };
    },
  };
}

interface ExpectedOrigin {
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
}

/** Throws a 422 unless the credential was created for this user and site. */
async function verifyCredential(
  expected: ExpectedOrigin,
  challenges: Challenges,
  userId: string,
  response: unknown,
) {
  const { verifyRegistrationResponse } = await loadPasskeyLibrary();
  const outcome = await verifyRegistrationResponse({
    ...expected,
    // SimpleWebAuthn's type assumes a checked response, but the library checks it itself.
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => challenges.consume(challenge, `register ${userId}`),
    requireUserVerification: false,
    supportedAlgorithmIDs: COSE_ALGORITHMS,
  }).catch(() => undefined);
  if (!outcome?.verified) throw invalidInput(NOT_CREATED_MESSAGE);
  return outcome.registrationInfo.credential;
}

/** Returns the passkey's new counter; undefined for a response that can't be verified. */
async function verifyCounter(
  expected: ExpectedOrigin,
  challenges: Challenges,
  passkey: Passkey,
  {
    response,
    isPasswordless,
  }: { readonly response: CredentialResponse; readonly isPasswordless: boolean },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadPasskeyLibrary();
  let challenge = "";
  const outcome = await verifyAuthenticationResponse({
    ...expected,
    // SimpleWebAuthn's type assumes a checked response, but the library checks it itself.
    response: response as never,
    expectedChallenge: (input) => challenges.isOpen((challenge = input), "login"),
    credential: {
      ...passkey,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
    },
    requireUserVerification: isPasswordless,
  }).catch(() => undefined);
  // Only a valid signature uses up the challenge, so failed attempts store nothing.
  if (!outcome?.verified || !challenges.consume(challenge, "login")) return undefined;
  return outcome.authenticationInfo.newCounter;
}

const NOT_CREATED_MESSAGE = "The passkey couldn't be created. Try again.";

function describePasskeyProblem(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined) return NO_ADDRESS_REASON;
  const { hostname, protocol } = new URL(siteUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return NO_HOST_NAME_REASON;
  return protocol === "https:" || hostname === "localhost" ? undefined : NO_HTTPS_REASON;
}

const CHALLENGE_TOPIC = "challenges";
const CHALLENGE_LIFETIME_MS = 5 * MINUTE;

/** Creates and checks challenges: a random value and a time, signed together with a purpose. Each is accepted once. */
function createSignedChallenges(secret: Uint8Array, clock: Clock, channel: Channel) {
  const tokens = createExpiringTokenSigner(secret, "passkey", CHALLENGE_LIFETIME_MS, clock);
  const usedChallenges = new Map<string, number>();
  channel.subscribe(
    CHALLENGE_TOPIC,
    ([challenge, expiresAt]) => void usedChallenges.set(String(challenge), Number(expiresAt)),
  );
  const isValid = (challenge: string, purpose: string) =>
    !usedChallenges.has(challenge) &&
    tokens.readToken(decodeChallenge(challenge), purpose) !== undefined;
  return {
    isOpen: isValid,
    create(purpose: string): Uint8Array<ArrayBuffer> {
      const nonce = randomBytes(16).toString("base64url");
      return new TextEncoder().encode(tokens.createToken(nonce, { boundText: purpose }));
    },
    consume(challenge: string, purpose: string): boolean {
      const now = clock();
      for (const [each, expiresAt] of usedChallenges)
        if (expiresAt <= now) usedChallenges.delete(each);
      if (!isValid(challenge, purpose)) return false;
      const expiresAt = now + CHALLENGE_LIFETIME_MS;
      usedChallenges.set(challenge, expiresAt);
      channel.publish(CHALLENGE_TOPIC, [challenge, expiresAt]);
      return true;
    },
  };
}

/** The browser's response contains the challenge in base64url. */
const decodeChallenge = (challenge: string) => Buffer.from(challenge, "base64url").toString();
