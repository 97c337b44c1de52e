/** No decision depends on a message's text: refusals have codes and reasons, so that every sentence may change. */
import { expect, test } from "bun:test";

const SOURCE = new URL("../src/", import.meta.url).pathname;

const DECISION_PATTERNS = [
  /\bmessage [!=]==? (?!""|undefined)/,
  /\bmessage\.(?:includes|startsWith|endsWith|match|search|indexOf)\(/,
  /\.test\([^()]*\bmessage\b/,
];

/** Files that read texts of other programs, which come without a code. */
const ALLOWED_FILES: Readonly<Record<string, string>> = {
  "server/mail/transports/deliveryError.ts":
    "a mail server's refusal, whose code the library drops",
  "web/admin/data/client.ts": "a proxy's page in place of an answer",
};

const isDecision = (line: string) =>
  !/^\s*(?:\*|\/\/)/.test(line) && DECISION_PATTERNS.some((pattern) => pattern.test(line));

test("no code compares or searches the text of an error message to decide something", async () => {
  const findings: string[] = [];
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)) {
    if (file in ALLOWED_FILES) continue;
    const lines = (await Bun.file(SOURCE + file).text()).split("\n");
    findings.push(...lines.filter(isDecision).map((line) => `${file}: ${line.trim()}`));
  }
  expect(findings).toEqual([]);
});

test("the scan for such code finds comparisons with the text of an error message", () => {
  for (const line of [
    'if (error.message === "full") return;',
    "const isBad = !NO_ROOM.test(error.message);",
    'return message.startsWith("The disk");',
  ])
    expect([line, isDecision(line)]).toEqual([line, true]);
  for (const line of ['error.message !== ""', "say(error.message)", "// message === old"])
    expect([line, isDecision(line)]).toEqual([line, false]);
});
