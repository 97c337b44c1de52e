/** No decision depends on a message's text: refusals have codes and reasons, so that every sentence may change. */
import { expect, test } from "bun:test";

const SOURCE = new URL("../src/", import.meta.url).pathname;

const BY_SENTENCE = [
  /\bmessage [!=]==? (?!""|undefined)/,
  /\bmessage\.(?:includes|startsWith|endsWith|match|search|indexOf)\(/,
  /\.test\([^()]*\bmessage\b/,
];

/** Texts of other programs, which come without a code. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  "server/mail/transports/deliveryError.ts":
    "a mail server's refusal, whose code the library drops",
  "web/admin/data/client.ts": "a proxy's page in place of an answer",
};

const decides = (line: string) =>
  !/^\s*(?:\*|\/\/)/.test(line) && BY_SENTENCE.some((pattern) => pattern.test(line));

test("no code decides anything by the text of a message", async () => {
  const findings: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)) {
    if (file in OF_OTHERS) continue;
    const lines = (await Bun.file(SOURCE + file).text()).split("\n");
    findings.push(...lines.filter(decides).map((line) => `${file}: ${line.trim()}`));
  }
  expect(findings).toEqual([]);
});

test("the scan finds code that decides by the text of a message", () => {
  for (const line of [
    'if (error.message === "full") return;',
    "const isBad = !NO_ROOM.test(error.message);",
    'return message.startsWith("The disk");',
  ])
    expect([line, decides(line)]).toEqual([line, true]);
  for (const line of ['error.message !== ""', "say(error.message)", "// message === old"])
    expect([line, decides(line)]).toEqual([line, false]);
});
