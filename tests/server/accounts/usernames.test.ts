/** Nobody can take a username that looks like another person's (specification, section 5.4). */
import { describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import confusables from "../../../src/server/accounts/confusables.txt" with { type: "text" };
import {
  LICENSE_END,
  isConfusableName,
  normalizeUsername,
  findUsernameProblem,
} from "../../../src/server/accounts/usernames.ts";
import { OWNER, startSite } from "../../support/testSite.ts";

const OTHER_ACCOUNTS = [
  { username: "Ada", email: "ada@example.com" },
  { username: "скос", email: "s@example.com" },
  { username: "paypal", email: "p@example.com" },
  { username: "owner", email: "o@example.com" },
];
const findProblem = (username: string, email = "new@example.com") =>
  findUsernameProblem({ username: normalizeUsername(username), email }, OTHER_ACCOUNTS);

test.each([
  ["Latin", ["Zoë Müller", "ada.l", "O'Neil-2", "Łukasz", "Nguyễn Văn A", "kim_99"]],
  ["Cyrillic", ["Анна", "Ольга Петрівна", "Ђорђе"]],
  ["Greek", ["Αγγελική", "Νίκος"]],
  ["Han, Kana, Hangul", ["王小明", "山田 太郎", "さくら", "ヤマダ たろう", "김민수", "金민수"]],
  ["Arabic", ["محمد", "فاطمة الزهراء"]],
  ["others", ["דנה", "प्रिया", "สมชาย", "Նարե", "ნინო", "தமிழ்", "አበበ"]],
])("usernames are accepted in these scripts: %s", (_, names) => {
  for (const name of names) expect([name, findProblem(name)]).toEqual([name, undefined]);
});

test("a username is stored in one normalized form, however it is typed", () => {
  expect(normalizeUsername(" Ａｄａ\u00a0\u3000 Ｌ ")).toBe("Ada L");
  expect(normalizeUsername("ﬁn")).toBe("fin");
  expect(normalizeUsername("Zoe\u0308")).toBe("Zoë");
});

test.each([
  ["a zero-width space", "Ad\u200ba"],
  ["a joiner", "Ad\u200da"],
  ["a soft hyphen", "Ad\u00ada"],
  ["a mark of direction", "\u202eadA"],
  ["a filler of Hangul", "Ada\u3164"],
  ["a selector of variants", "Ada\ufe0f"],
  ["a tag", "Ada\u{e0041}"],
  ["a control", "Ada\u0007"],
  ["a blank of Braille", "Ada\u2800"],
  ["what nobody has given to a letter", "Ada\u0378"],
])("a username with %s is refused", (_, name) => {
  expect(findProblem(name)).toBe("Remove the invisible characters.");
});

test.each(["Аda", "Adа", "pаypal", "Αda", "Ada王", "рaypal"])(
  "a username with letters of several scripts is refused: %s",
  (name) => {
    expect(findProblem(name)).toBe("Use letters from one script only, such as Latin or Cyrillic.");
  },
);

test.each([
  "раураӏ",
  "Аԁа",
  "paypa1",
  "ckoc",
  "ɑda",
  "owṇer",
  "ᴏwner",
  "ôwner",
  "ƿaypal",
  "pɑypal",
  "øwner",
])("a username that looks like an existing one is refused: %s", (name) => {
  expect(findProblem(name)).toBeOneOf([
    "This username looks like one that is already taken. Choose another one.",
    "Use letters from one script only, such as Latin or Cyrillic.",
  ]);
});

test("every look-alike in Unicode's table that a username can contain is detected", async () => {
  const [license = "", table = ""] = confusables.split(LICENSE_END);
  expect(license).toContain("UNICODE LICENSE V3");
  const lines = table.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(1000);
  for (const line of lines) {
    const [drawn = "", signs = ""] = line.split(" ");
    for (const sign of signs) expect([sign, isConfusableName(drawn, sign)]).toEqual([sign, true]);
  }
});

test("an email address can be a username only for the person it belongs to", () => {
  const words = "A username with an @ must be your own email address.";
  expect(findProblem("eve@example.com")).toBe(words);
  expect(findProblem("ada@")).toBe(words);
  expect(findProblem("ada＠example.com")).toBe(words);
  expect(findProblem("New@example.com", "new@example.com")).toBeUndefined();
});

describe("over HTTP", () => {
  test("a confusing username is refused in an invitation and a profile, and existing accounts keep theirs", async () => {
    const site = await startSite();
    const owner = await site.logInAsOwner();
    const kim = { email: "kim@agency.example", role: "editor" };
    const { body } = await owner.post("/api/invitations", kim);
    const token = /#token=(.+)$/.exec(body.path)![1]!;
    const join = (username: string) =>
      site.visitor().post("/api/join", { token, username, password: "quiet rows of velvet" });
    for (const name of ["Аԁа", "A𝖽а", "eve@example.com", "Ａｄａ＠example.com"]) {
      const { status, body } = await join(name);
      expect([name, status, Object.keys(body.fields ?? {})]).toEqual([name, 422, ["username"]]);
    }
    // The same letters in full width.
    expect((await join("Ａｄａ")).status).toBe(409);
    // Invisible marks aren't part of a name.
    expect((await join("Ad\u200ba")).status).toBe(409);
    expect((await join("ｋｉｍ")).body.username).toBe("kim");
    const login = (username: string) =>
      site.visitor().post("/api/auth/login", { username, password: OWNER.password });
    await owner.post("/api/auth/profile", { username: "Ａ Ｄ Ａ" });
    for (const typed of ["a d a", "ａ\u3000ｄ ａ"]) expect((await login(typed)).status).toBe(200);
    const renamed = await owner.post("/api/auth/profile", { username: "kіm", email: OWNER.email });
    expect(renamed.status).toBe(422);

    const users = site.store.of(entities.users);
    const earlier = "Аda@example.com";
    const become = (username: string) =>
      users.update((all) => all.map((each, at) => (at === 0 ? { ...each, username } : each)));
    await become(earlier);
    expect((await login(earlier)).status).toBe(200);
    const sent = { username: earlier, email: "ada@new.example" };
    expect((await owner.post("/api/auth/profile", sent)).status).toBe(200);
    // A former email address can't be used as a name.
    await become("ada@new.example");
    const left = await owner.post("/api/auth/profile", { email: "ada@other.example" });
    const words = "A username with an @ must be your own email address.";
    expect(left.body.fields).toEqual({ username: words });
    await site.stop();
  });
});
