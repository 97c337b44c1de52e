/** Passkeys (WebAuthn): made for this site's name, checked here. The library is loaded with the first one. */
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Passkey } from "../../schema/accounts.ts";
import type { Clock } from "../shared/clock.ts";
import { conflict, invalid } from "../shared/errors.ts";
import type { Instances } from "../shared/instances.ts";
import { expiring, signed } from "../shared/signed.ts";
import { MINUTE } from "../shared/time.ts";
import type { User } from "./owners.ts";

/** What a browser sends; the library looks at what is in it. */
export type BrowserAnswer = { readonly id: string } & Record<string, unknown>;

export interface Passkeys {
  /** Why none can be made or used here, in a sentence; undefined when they can. */
  readonly impossible: string | undefined;
  /** What the browser needs to make one for a user. Throws a 409 where it is impossible. */
  registrationOptions(user: User, siteName: string): Promise<object>;
  /** The passkey that a browser has made for a user, without a name. Throws a 422. */
  register(user: User, answer: unknown): Promise<Omit<Passkey, "name">>;
  /** What the browser needs to log in with one, alone or after a password. Throws a 409. */
  loginOptions(alone: boolean): Promise<object>;
  /**
   * The passkey as it is after this use, or undefined for what does not prove it. `alone` asks that
   * the device has made sure of its person (face, finger, PIN), as there is no password.
   */
  verify(passkey: Passkey, answer: BrowserAnswer, alone: boolean): Promise<Passkey | undefined>;
}

interface PasskeyOptions {
  readonly siteUrl: string | undefined;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** A challenge that was used at one is used at all. */
  readonly instances: Pick<Instances, "tell" | "hear">;
}

const NO_NAME =
  "Passkeys belong to a site's name, and Limelight hasn't been told it: start it with SITE_URL.";
const NO_HTTPS = "Passkeys need https. Set up a certificate first.";

/** EdDSA, ES256 and RS256: what authenticators have. The newer ML-DSA makes keys of 2 KB. */
const ALGORITHMS = [-8, -7, -257];

/** It needs the polyfill and asks for it too late in the built program, where its parts come in another order. */
async function library() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** Those of a site's own host; where its address allows none, `impossible` says why. */
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
        // Kept by the device, so that it logs in without a username.
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },
    async register(user, answer) {
      const expected = site();
      const { verifyRegistrationResponse } = await library();
      const outcome = await verifyRegistrationResponse({
        ...expected,
        // SimpleWebAuthn types what a browser sends as if it had been checked, and checks it itself.
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
        // SimpleWebAuthn types what a browser sends as if it had been checked, and checks it itself.
        response: answer as never,
        expectedChallenge: (sent) => challenges.isOpen((challenge = sent), "login"),
        credential: {
          ...passkey,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        },
        requireUserVerification: alone,
      }).catch(() => undefined);
      // Used up by the key's owner alone: of those that don't fit none is remembered.
      if (!outcome?.verified || !challenges.take(challenge, "login")) return undefined;
      const { newCounter } = outcome.authenticationInfo;
      return { ...passkey, counter: newCounter, lastUsedAt: new Date(clock()).toISOString() };
    },
  };
}

const NOT_MADE = "The passkey couldn't be made. Try again.";

/** A passkey is bound to a host name, which no address of numbers is, and browsers want https but at home. */
function reasonAgainst(siteUrl: string | undefined): string | undefined {
  if (siteUrl === undefined) return NO_NAME;
  const { hostname, protocol } = new URL(siteUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) return NO_NAME;
  return protocol === "https:" || hostname === "localhost" ? undefined : NO_HTTPS;
}

const TOPIC = "challenges";
const LIFETIME = 5 * MINUTE;

/**
 * Challenges that need no memory until they are used: some chance and a moment, with the site's signature over both
 * and the purpose. Each is taken once.
 */
function signedChallenges(
  secret: Uint8Array,
  clock: Clock,
  instances: Pick<Instances, "tell" | "hear">,
) {
  const tokens = expiring(signed(secret, "passkey"), LIFETIME, clock);
  const used = new Map<string, number>();
  instances.hear(TOPIC, ([challenge, until]) => void used.set(String(challenge), Number(until)));
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
      instances.tell(TOPIC, [challenge, until]);
      return true;
    },
  };
}

/** A challenge as it was made, of how browsers send it back. */
const textOf = (challenge: string) => Buffer.from(challenge, "base64url").toString();
