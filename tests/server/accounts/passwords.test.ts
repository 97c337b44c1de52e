/** Which passwords are accepted, and how they are stored (specification, section 5.4). */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  createCommonPasswordKeys,
  readLongCommonPasswords,
} from "../../../src/build/commonPasswords.ts";
import {
  createPasswords,
  isCommonPassword,
  findPasswordProblem,
} from "../../../src/server/accounts/passwords.ts";

describe("a password", () => {
  test.each([
    "correct words in no order",
    "velvet-curtain-nine",
    "Zx9!kq2#Lm5$",
    "ein ganz langer Satz",
    "пароль сцены вечером",
  ])("is accepted: %s", (password) => {
    expect(findPasswordProblem(password, ["ada", "ada@example.com", "Ada Star"])).toBeUndefined();
  });

  test.each(["password1234", "Transformers", " ".repeat(12), "\t ".repeat(6), "é".repeat(12)])(
    "is refused as too easy to guess: %p",
    (password) => {
      expect(findPasswordProblem(password, [])).toContain("too easy to guess");
    },
  );

  test("is checked after Unicode normalization, however a keyboard encodes it", () => {
    const easy = ["e\u0301".repeat(20), "ｐａｓｓｗｏｒｄ１２３４", "Ｔransformers"];
    expect(easy.filter((each) => !findPasswordProblem(each, [])?.includes("too easy"))).toEqual([]);
    const named = ["so zoe\u0308star shines!", "so ｚｏëstar shines!", "so zoëstar shines!"];
    for (const name of ["Zoë Star", "Zoe\u0308 Star"])
      for (const password of named)
        expect(findPasswordProblem(password, [name])).toContain("Don't use your name");
  });

  test("is refused if it is among the 43,000 long passwords in a list of a million common ones", async () => {
    const listed = await readLongCommonPasswords();
    expect(listed.length).toBeGreaterThan(43_000);
    expect(listed.filter((each) => !isCommonPassword(each))).toEqual([]);
    const stored = Bun.file(
      join(import.meta.dir, "../../../src/server/accounts/commonPasswords.bin"),
    );
    expect(
      Buffer.compare(await createCommonPasswordKeys(), Buffer.from(await stored.bytes())),
    ).toBe(0);
  });

  test("must have 12 to 256 characters, and must not contain the username, email address or site name", () => {
    expect(findPasswordProblem("elevenchars", [])).toBe("Use at least 12 characters.");
    expect(findPasswordProblem("🎭🎭🎭🎭🎭🎭", [])).toBe("Use at least 12 characters.");
    // Six letters, each sent as two characters, and one that counts as eighteen.
    expect(findPasswordProblem("u\u0308v\u0323w\u0302e\u0301o\u0300i\u0302", [])).toBe(
      "Use at least 12 characters.",
    );
    expect(findPasswordProblem("\ufdfa", [])).toBe("Use at least 12 characters.");
    expect(findPasswordProblem("xy".repeat(129), [])).toBe("Use at most 256 characters.");
    for (const nothing of [undefined, null, "", 7, {}])
      expect(findPasswordProblem(nothing, [])).toBe("Choose a password.");
    const names = ["lovelace", "countess@example.com", "Ada Star"];
    for (const password of ["my Lovelace secret", "x9 countess x9 x9", "so adastar shines!"])
      expect(findPasswordProblem(password, names)).toContain("Don't use your name");
  });
});

describe("hashing passwords", () => {
  const { hash, verify } = createPasswords();

  test("uses argon2id with 19 MiB and two passes", async () => {
    expect(await hash("velvet curtain nine")).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("compares a password with a damaged hash as wrong, without throwing", async () => {
    const stored = await hash("velvet curtain nine");
    expect(await verify("velvet curtain nine", stored)).toBe(true);
    expect(await verify("velvet curtain ten", stored)).toBe(false);
    for (const broken of ["", "x", "$argon2id$", undefined])
      expect(await verify("velvet curtain nine", broken)).toBe(false);
  });

  test("treats composed and decomposed letters as the same password", async () => {
    expect(await verify("cafe\u0301 at the corner", await hash("caf\u00e9 at the corner"))).toBe(
      true,
    );
  });
});
