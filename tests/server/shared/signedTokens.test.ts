/** The site accepts only its own signed tokens, for their purpose and during their lifetime. */
import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { createSubscriptionLinks } from "../../../src/server/newsletter/subscriptionLinks.ts";
import {
  createExpiringTokenSigner,
  createTokenSigner,
} from "../../../src/server/shared/signedTokens.ts";
import { createFillingTimeProofs } from "../../../src/server/visitors/enquiryRateLimits.ts";

const secret = new Uint8Array(32).fill(7);

test("a signed token is invalid if it was changed, or for another purpose, secret or bound text", () => {
  const tokens = createTokenSigner(secret, "one");
  const token = tokens.createToken("ann", "a password");
  expect(tokens.readToken(token, "a password")).toBe("ann");
  expect(createTokenSigner(secret, "two").readToken(token, "a password")).toBeUndefined();
  expect(
    createTokenSigner(new Uint8Array(32), "one").readToken(token, "a password"),
  ).toBeUndefined();
  for (const bound of [undefined, "", "another password"])
    expect(tokens.readToken(token, bound)).toBeUndefined();
  const changed = [
    `b${token}`,
    `${token}x`,
    token.slice(0, -1),
    token.replace("ann", "bob"),
    "ann",
  ];
  for (const bad of [...changed, "", ".", undefined, null, 5, {}, "x".repeat(100_000)])
    expect(tokens.readToken(bad, "a password")).toBeUndefined();
});

test("an expiring token is valid only from its creation until its end", () => {
  let now = 1_800_000_000_000;
  const tokens = createExpiringTokenSigner(secret, "one", 1000, () => now);
  const [plain, named] = [tokens.createToken(), tokens.createToken("ann.b", { boundText: "x" })];
  expect([tokens.readToken(plain), tokens.readToken(named, "x")]).toEqual([
    { text: "", at: now },
    { text: "ann.b", at: now },
  ]);
  now += 1000;
  expect(tokens.readToken(plain)).toBeDefined();
  now += 1;
  expect(tokens.readToken(plain)).toBeUndefined();
  now -= 1002;
  expect(tokens.readToken(plain)).toBeUndefined();
});

test("mailing list links and enquiry start times signed by an earlier release stay valid", () => {
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  const links = createSubscriptionLinks(() => Buffer.from(secret).toString());
  const listed = (text: string) => `${text}.${sign(`mailing-list:${text}`).slice(0, 32)}`;
  const [plain, ofLetter] = [listed("u.some-id."), listed("u.some-id.a-letter")];
  expect(links.readUnsubscription(plain)).toEqual({ id: "some-id", letter: "" });
  expect(links.readUnsubscription(ofLetter)).toEqual({ id: "some-id", letter: "a-letter" });
  expect(links.readConfirmation(plain)).toBeUndefined();
  const confirmation = listed("c.some-id.kzz1");
  const at = Number.parseInt("kzz1", 36);
  expect(links.readConfirmation(confirmation)).toEqual({ id: "some-id", createdAt: at });
  expect(links.readUnsubscription(confirmation)).toBeUndefined();
  const began = 1_800_000_000_000;
  const proof = `${began.toString(36)}.${sign(`filling-time:${began.toString(36)}`)}`;
  expect(createFillingTimeProofs(secret, () => began + 5000).computeElapsedMs(proof)).toBe(5000);
});
