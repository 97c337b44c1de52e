/** An authenticator app for a test's site, on that site's clock. */
import { expect } from "bun:test";
import {
  computeTotpCode,
  decodeTotpSecret,
  computeTimeStep,
} from "../../src/server/accounts/totp.ts";
import type { Caller } from "./site.ts";
import type { Site } from "./startSite.ts";

type TestClock = Pick<Site, "advance" | "readOffset">;

const STEP_MS = 30_000;

/** Returns the app's current code. */
export const computeCode = ({ readOffset: ahead }: TestClock, secret: string): string =>
  computeTotpCode(decodeTotpSecret(secret), computeTimeStep(Date.now() + ahead()));

/** Advances the clock to the next code. */
export const advanceToNextCode = ({ advance }: TestClock): void => advance(STEP_MS);

/** Turns the app on. Returns its secret and the recovery codes. */
export async function turnOnAuthenticator(site: TestClock, client: Caller) {
  const { secret } = (await client.post("/api/auth/authenticator")).body as { secret: string };
  const code = computeCode(site, secret);
  const { status, body } = await client.post("/api/auth/authenticator/confirm", { code });
  expect(status).toBe(200);
  advanceToNextCode(site);
  return { secret, recoveryCodes: body.recoveryCodes as string[] };
}
