/** The codes of an authenticator app match the RFCs. */
import { describe, expect, test } from "bun:test";
import {
  computeTotpCode,
  createKeyUri,
  createTotpSecret,
  decodeTotpSecret,
  computeTimeStep,
  findMatchingTimeStep,
  parseCode,
} from "../../../src/server/accounts/totp.ts";

test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("an authenticator code at second %d is as in RFC 6238, appendix B", (second, code) => {
  const secret = Buffer.from("12345678901234567890");
  expect(computeTotpCode(secret, computeTimeStep(second * 1000))).toBe(code);
});

test("the first ten authenticator codes equal the examples of RFC 4226, appendix D", () => {
  const secret = Buffer.from("12345678901234567890");
  expect(Array.from({ length: 10 }, (_, step) => computeTotpCode(secret, step))).toEqual(
    "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" "),
  );
});

test("an authenticator secret in base32 is decoded as in RFC 4648, section 10", () => {
  expect(Buffer.from(decodeTotpSecret("MZXW6YTB")).toString()).toBe("fooba");
  expect(Buffer.from(decodeTotpSecret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).toString()).toBe(
    "12345678901234567890",
  );
  expect(createTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(createTotpSecret()).not.toBe(createTotpSecret());
});

describe("an authenticator code", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const now = 1_900_000_015_000;
  const currentStep = computeTimeStep(now);
  const createCode = (step: number) => computeTotpCode(decodeTotpSecret(secret), step);
  const checkCode = (typed: string, lastUsedStep = 0) =>
    findMatchingTimeStep(typed, { secret, lastUsedStep }, now);

  test("is accepted only if it is of the current, previous or next time step", () => {
    expect([-2, -1, 0, 1, 2].map((off) => checkCode(createCode(currentStep + off)))).toEqual([
      undefined,
      currentStep - 1,
      currentStep,
      currentStep + 1,
      undefined,
    ]);
  });

  test("works once, and earlier codes don't work after it", () => {
    expect(checkCode(createCode(currentStep), currentStep)).toBeUndefined();
    expect(checkCode(createCode(currentStep - 1), currentStep)).toBeUndefined();
    expect(checkCode(createCode(currentStep), currentStep - 1)).toBe(currentStep);
  });

  test("is refused unless it is exactly six digits", () => {
    for (const typed of [
      "",
      "12345",
      `${createCode(currentStep)}0`,
      `0${createCode(currentStep)}`,
      "12345x",
      "１２３４５６",
    ])
      expect(checkCode(typed)).toBeUndefined();
  });
});

test("the otpauth URL in the QR code escapes colons and spaces in names", () => {
  const address = new URL(createKeyUri("Nora Vale: live", "a+b@example.com", "ABC"));
  expect(address.href).toStartWith("otpauth://totp/Nora%20Vale%3A%20live:a%2Bb%40example.com?");
  expect(Object.fromEntries(address.searchParams)).toEqual({
    secret: "ABC",
    issuer: "Nora Vale: live",
  });
});

test("an authenticator code may be typed in groups of digits (Morelitea/initiative#1705)", () => {
  for (const typed of ["123 456", "123-456", "١٢٣–٤٥٦"]) expect(parseCode(typed)).toBe("123456");
});
