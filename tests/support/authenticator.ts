/** An authenticator app of somebody on a site of a test, in that site's time. */
import { expect } from "bun:test";
import { codeAt, secretBytes, stepAt } from "../../src/server/accounts/totp.ts";
import type { Caller } from "./site.ts";
import type { Site } from "./startSite.ts";

type InTime = Pick<Site, "advance" | "ahead">;

const STEP = 30_000;

/** Its code at this moment. */
export const codeOf = ({ ahead }: InTime, secret: string): string =>
  codeAt(secretBytes(secret), stepAt(Date.now() + ahead()));

/** From now on it has another code. */
export const nextStep = ({ advance }: InTime): void => advance(STEP);

/** Turns one on; returns its secret and the recovery codes. */
export async function turnOn(site: InTime, client: Caller) {
  const { secret } = (await client.post("/api/auth/authenticator")).body as { secret: string };
  const code = codeOf(site, secret);
  const { status, body } = await client.post("/api/auth/authenticator/confirm", { code });
  expect(status).toBe(200);
  nextStep(site);
  return { secret, recoveryCodes: body.recoveryCodes as string[] };
}
