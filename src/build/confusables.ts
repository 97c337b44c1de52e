/**
 * Writes the part of Unicode's table of look-alikes (UTS #39) that usernames need. Download confusables.txt from
 * https://www.unicode.org/Public/security/, then run `bun src/build/confusables.ts confusables.txt`.
 */
import { LICENSE_END, isUsernameCharacter } from "../server/accounts/usernames.ts";

const OUTPUT_URL = new URL("../server/accounts/confusables.txt", import.meta.url);

const ENTRY_PATTERN = /^([\dA-F]+) ?;\s*([\dA-F ]+?) ?;\s*MA/;

/** Returns a line for each character, with the username characters that look like it. */
function selectConfusables(text: string): string {
  const lookalikes = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, source, prototype] = ENTRY_PATTERN.exec(line) ?? [];
    if (source === undefined || prototype === undefined) continue;
    const [character, prototypeCharacters] = [
      decodeCodePoints(source),
      decodeCodePoints(prototype),
    ];
    if (isUsernameCharacter(character))
      lookalikes.set(prototypeCharacters, (lookalikes.get(prototypeCharacters) ?? "") + character);
  }
  return [...lookalikes]
    .map(([prototypeCharacters, characters]) => `${prototypeCharacters} ${characters}\n`)
    .join("");
}

const decodeCodePoints = (codes: string) =>
  String.fromCodePoint(...codes.split(" ").map((code) => Number.parseInt(code, 16)));

if (import.meta.main) {
  const text = await Bun.file(process.argv[2] ?? "confusables.txt").text();
  const version = /^# Version: (\S+)/m.exec(text)?.[1] ?? "";
  const [license = ""] = (await Bun.file(OUTPUT_URL).text()).split(LICENSE_END);
  const header = license.replace(/(?<=Version )[\d.]+(?=,)/, version);
  await Bun.write(OUTPUT_URL, header + LICENSE_END + selectConfusables(text));
}
