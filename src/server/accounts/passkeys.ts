/** Passkeys (WebAuthn): registered for this site's host name, verified here. The library is loaded on first use. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Passkey } from "../../schema/accounts.ts";
import type { Item } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, invalid } from "../shared/errors.ts";
import type { Instances } from "../shared/instances.ts";
import { expiring, signed } from "../shared/signed.ts";
import { MINUTE } from "../shared/time.ts";

/** A browser's response; the library checks its content. */
export type BrowserAnswer = { readonly id: string } & Record<string, unknown>;

export interface Passkeys {
  /** Why passkeys can't be used here, as a sentence; undefined when they can. */
  readonly impossible: string | undefined;
  /** Options for the browser to create one for a user. Throws a 409 where it is impossible. */
  registrationOptions(user: Item<"users">, siteName: string): Promise<object>;
  /** The passkey that a browser created for a user, without a name. Throws a 422. */
  register(user: Item<"users">, answer: unknown): Promise<Omit<Passkey, "name">>;
  /** Options for the browser to log in with one, alone or after a password. Throws a 409. */
  loginOptions(alone: boolean): Promise<object>;
  /**
   * The passkey updated by this use, or undefined if it can't be verified. `alone` requires that the device verified
   * its user (face, finger, PIN), as there is no password.
   */
  verify(passkey: Passkey, answer: BrowserAnswer, alone: boolean): Promise<Passkey | undefined>;
}

interface PasskeyOptions {
  readonly siteUrl: string | undefined;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** A challenge used at one counts as used at all. */
  readonly instances: Pick<Instances, "publish" | "subscribe">;
}

const NO_NAME =
  "Passkeys are tied to the site's address, which isn't set. Start Limelight with SITE_URL.";
const NO_HTTPS = "Passkeys require HTTPS. Set up a certificate first.";

/** EdDSA, ES256 and RS256, which authenticators support. Keys of the newer ML-DSA take 2 KB. */
const ALGORITHMS = [-8, -7, -257];

/** The library needs this polyfill, but in the built program imports it too late. */
async function library() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** For the site's own host; where its address doesn't allow any, `impossible` says why. */
export function passkeys({ siteUrl, secret, clock, instances }: PasskeyOptions): Passkeys {
  const challenges = signedChallenges(secret, clock, instances);
  const impossible = reasonAgainst(siteUrl);
  const site = () => {
    if (impossible !== undefined || siteUrl === undefined) throw conflict(impossible ?? NO_NAME);
    return { expectedOrigin: siteUrl, expectedRPID: new URL(siteUrl).hostname };
  };
  return {
    impossible,
    async registrationOptions(user, siteName) {
      const { expectedRPID } = site();
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: siteName,
        rpID: expectedRPID,
        userName: user.username,
        userID: new TextEncoder().encode(user.id),
        challenge: challenges.make(`register ${user.id}`),
        attestationType: "none",
        excludeCredentials: user.passkeys,
        // Stored on the device, so that no username is needed.
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },
    async register(user, answer) {
      const expected = site();
      const { verifyRegistrationResponse } = await library();
      const outcome = await verifyRegistrationResponse({
        ...expected,
        // SimpleWebAuthn's type assumes a checked response, but the library checks it itself.
        response: answer as RegistrationResponseJSON,
        expectedChallenge: (challenge) => challenges.take(challenge, `register ${user.id}`),
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined);
      if (!outcome?.verified) throw invalid(NOT_MADE);
      const { id, publicKey, counter, transports = [] } = outcome.registrationInfo.credential;
      return {
        id,
        publicKey: Buffer.from(publicKey).toString("base64url"),
        counter,
        transports,
        createdAt: new Date(clock()).toISOString(),
        lastUsedAt: null,
      };
    },
    async loginOptions(alone) {
      const { expectedRPID: rpID } = site();
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID,
        challenge: challenges.make("login"),
        userVerification: alone ? "required" : "preferred",
      });
    },
    async verify(passkey, answer, alone) {
      if (impossible !== undefined) return undefined;
      const expected = site();
      const { verifyAuthenticationResponse } = await library();
      let challenge = "";
      const outcome = await verifyAuthenticationResponse({
        ...expected,
        // SimpleWebAuthn's type assumes a checked response, but the library checks it itself.
        response: answer as never,
        expectedChallenge: (sent) => challenges.isOpen((challenge = sent), "login"),
        credential: {
          ...passkey,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        },
        requireUserVerification: alone,
      }).catch(() => undefined);
      // Only a valid signature uses it up; challenges of failed tries aren't remembered.
      if (!outcome?.verified || !challenges.take(challenge, "login")) return undefined;
      const { newCounter } = outcome.authenticationInfo;
      return { ...passkey, counter: newCounter, lastUsedAt: new Date(clock()).toISOString() };
    },
  };
}

const NOT_MADE = "The passkey couldn't be created. Try again.";

/** A passkey is bound to a host name, never an IP address, and browsers require https except on localhost. */
function reasonAgainst(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined) return NO_NAME;
  const { hostname, protocol } = new URL(siteUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return NO_NAME;
  return protocol === "https:" || hostname === "localhost" ? undefined : NO_HTTPS;
}

const TOPIC = "challenges";
const LIFETIME = 5 * MINUTE;

/**
 * Challenges that need no storage until they are used: a random part and the time, signed by the site together with
 * the purpose. Each is accepted once.
 */
function signedChallenges(
  secret: Uint8Array,
  clock: Clock,
  instances: Pick<Instances, "publish" | "subscribe">,
) {
  const tokens = expiring(signed(secret, "passkey"), LIFETIME, clock);
  const used = new Map<string, number>();
  instances.subscribe(
    TOPIC,
    ([challenge, until]) => void used.set(String(challenge), Number(until)),
  );
  const isOpen = (challenge: string, purpose: string) =>
    !used.has(challenge) && tokens.read(textOf(challenge), purpose) !== undefined;
  return {
    isOpen,
    make(purpose: string): Uint8Array<ArrayBuffer> {
      const chance = randomBytes(16).toString("base64url");
      return new TextEncoder().encode(tokens.make(chance, { bound: purpose }));
    },
    take(challenge: string, purpose: string): boolean {
      const now = clock();
      for (const [each, until] of used) if (until <= now) used.delete(each);
      if (!isOpen(challenge, purpose)) return false;
      const until = now + LIFETIME;
      used.set(challenge, until);
      instances.publish(TOPIC, [challenge, until]);
      return true;
    },
  };
}

/** The original challenge, decoded from the browser's response. */
const textOf = (challenge: string) => Buffer.from(challenge, "base64url").toString();
