/**
 * Writes the part of Unicode's table of look-alikes (UTS #39) that usernames need: `bun
 * src/build/confusables.ts confusables.txt`, with the file from https://www.unicode.org/Public/security/.
 */
import { AFTER_LICENCE, isPlainSign } from "../server/accounts/usernames.ts";

const TARGET = new URL("../server/accounts/confusables.txt", import.meta.url);

const ENTRY = /^([\dA-F]+) ?;\s*([\dA-F ]+?) ?;\s*MA/;

/** `text` is Unicode's file. Each line of the result is a prototype and the signs that look like it. */
function neededConfusables(text: string): string {
  const alike = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, source, prototype] = ENTRY.exec(line) ?? [];
    if (source === undefined || prototype === undefined) continue;
    const [sign, drawn] = [textOf(source), textOf(prototype)];
    if (isPlainSign(sign)) alike.set(drawn, (alike.get(drawn) ?? "") + sign);
  }
  return [...alike].map(([drawn, signs]) => `${drawn} ${signs}\n`).join("");
}

const textOf = (codes: string) =>
  String.fromCodePoint(...codes.split(" ").map((code) => Number.parseInt(code, 16)));

if (import.meta.main) {
  const text = await Bun.file(process.argv[2] ?? "confusables.txt").text();
  const version = /^# Version: (\S+)/m.exec(text)?.[1] ?? "";
  const [licence = ""] = (await Bun.file(TARGET).text()).split(AFTER_LICENCE);
  const head = licence.replace(/(?<=Version )[\d.]+(?=,)/, version);
  await Bun.write(TARGET, head + AFTER_LICENCE + neededConfusables(text));
}
