/** An authenticator app for a test's site, on that site's clock. */
import { expect } from "bun:test";
import {
  computeTotpCode,
  decodeTotpSecret,
  computeTimeStep,
} from "../../src/server/accounts/totp.ts";
import type { Caller } from "./site.ts";
import type { Site } from "./startSite.ts";

type InTime = Pick<Site, "advance" | "ahead">;

const STEP = 30_000;

/** Its current code. */
export const codeOf = ({ ahead }: InTime, secret: string): string =>
  computeTotpCode(decodeTotpSecret(secret), computeTimeStep(Date.now() + ahead()));

/** Advances to the next code. */
export const nextStep = ({ advance }: InTime): void => advance(STEP);

/** Turns the app on; returns its secret and the recovery codes. */
export async function turnOn(site: InTime, client: Caller) {
  const { secret } = (await client.post("/api/auth/authenticator")).body as { secret: string };
  const code = codeOf(site, secret);
  const { status, body } = await client.post("/api/auth/authenticator/confirm", { code });
  expect(status).toBe(200);
  nextStep(site);
  return { secret, recoveryCodes: body.recoveryCodes as string[] };
}
