/** Reads a style sheet into its rules and writes it again, so that the build can leave parts out. */

/** A rule, or an at-rule with rules inside. `body` is what stands between the outer braces. */
export interface CssRule {
  readonly prelude: string;
  readonly body: string;
  /** The rules inside of @media, @supports and @layer. */
  readonly inner?: readonly CssRule[];
}

/** The rules of a sheet without comments, such as a minified one. */
export function parseRules(css: string): CssRule[] {
  return splitAt(css, "}").flatMap((text) => {
    const open = outside(text).indexOf("{");
    if (open < 0) return [];
    const [prelude, body] = [text.slice(0, open).trim(), text.slice(open + 1)];
    return /^@(media|supports|layer)/.test(prelude)
      ? [{ prelude, body, inner: parseRules(body) }]
      : [{ prelude, body }];
  });
}

/** The sheet of a list of rules. */
export function writeRules(rules: readonly CssRule[]): string {
  return rules
    .map(({ prelude, body, inner }) => `${prelude}{${inner ? writeRules(inner) : body}}`)
    .join("");
}

/** Splits at a character outside of quotes, brackets and braces. */
export function splitAt(text: string, separator: "," | ";" | "}"): string[] {
  const parts: string[] = [];
  const plain = outside(text);
  let from = 0;
  for (let at = 0; at < plain.length; at += 1) {
    if (plain[at] !== separator) continue;
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part.trim() !== "");
}

/** The text with everything inside of quotes, brackets and braces blanked, at the same length. */
function outside(text: string): string {
  let depth = 0;
  let quote = "";
  let plain = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote) {
      if (sign === "\\") plain += " ";
      if (sign === "\\") at += 1;
      else if (sign === quote) quote = "";
      plain += " ";
      continue;
    }
    if (sign === '"' || sign === "'") quote = sign;
    if (sign === ")" || sign === "]" || sign === "}") depth -= 1;
    plain += depth === 0 && !quote ? sign : " ";
    if (sign === "(" || sign === "[" || sign === "{") depth += 1;
  }
  return plain;
}
