/** Builds a style sheet: Pico in a layer of its own, then our rules, which win over it; minified. */
import { basename, join } from "node:path";

// Reads a style sheet into its rules and writes it again, so that the build can leave parts out.

/** A rule, or an at-rule with rules inside. `body` is what stands between the outer braces. */
interface CssRule {
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

// Takes out of Pico what neither site nor dashboard has: other schemes, tables, accordions and the like.

/** Selectors of what pages never show, or style whole themselves; they are dark and have their own dialogs. */
const ABSENT = [
  /\[data-theme=light\]/,
  /not\(\[data-theme=dark\]\)/,
  /\b(table|thead|tbody|tfoot|tr|td|th|caption)\b(?!-)/,
  /\b(details|summary|progress|dialog|figure|figcaption|hgroup|nav|aside|canvas|iframe|embed|object|audio|video)\b/,
  /\b(sub|sup|h4|h5|h6|optgroup|area)\b(?!-)|\[role=(button|link)|\[multiple|:indeterminate|:-(?:moz|ms)-|::-webkit-input-placeholder/,
  /\b(code|kbd|samp|pre|abbr|mark|ins|del|dl|dt|dd|address|template|hr)\b(?!-)/,
  /\.(grid|container|container-fluid|dropdown|modal|modal-is-\w+|overflow-auto|striped|outline|secondary|contrast|close)/,
  /\[(data-tooltip|data-placement|role=(group|search|switch|checkbox|listbox)|dir=rtl)/,
  /\[type=(range|file|color|date|datetime-local|month|week|time|search|reset|image)\]/,
  /::-(webkit-(slider|color|file|calendar|search|datetime|inner|outer|progress)|moz-(range|progress|color|focus))/,
  /::file-selector|\[aria-invalid|input:not\(\[type=checkbox\],\[type=radio\],\[type=range\],\[type=file\]\)\[aria/,
];

/** What a sheet for sections alone does without besides: they hold no forms. */
export const FORMS: readonly RegExp[] = [
  /\b(input|select|textarea|label|fieldset|legend)\b|\[type=|aria-busy|\[disabled|-disabled/,
];

/** Pico's growing root size is among these: the site's sizes are its own. */
const ABSENT_AT_RULES =
  /^@(media (print|[^{]*(prefers-color-scheme|min-width))|-moz-document|keyframes (modal|progress|tooltip))/;

/**
 * Pico without those rules, without those of the patterns `also`, and without the custom properties that
 * nothing uses any more.
 */
export function picoParts(pico: string, own: string, also: readonly RegExp[] = []): string {
  const charset = /^@charset[^;]+;/;
  const rules = parseRules(pico.replace(charset, "").replace(/\/\*[\s\S]*?\*\//g, ""));
  return withoutUnused(kept(rules, [...ABSENT, ...also]), own);
}

function kept(rules: readonly CssRule[], absent: readonly RegExp[]): CssRule[] {
  return rules.flatMap((rule) => {
    if (ABSENT_AT_RULES.test(rule.prelude)) return [];
    if (rule.inner) {
      const inner = kept(rule.inner, absent);
      return inner.length > 0 ? [{ ...rule, inner }] : [];
    }
    if (rule.prelude.startsWith("@")) return [rule];
    const there = splitAt(rule.prelude, ",").filter((selector) => !isIn(absent, selector));
    return there.length > 0 ? [{ ...rule, prelude: there.join(",") }] : [];
  });
}

function isIn(patterns: readonly RegExp[], selector: string): boolean {
  // What a selector excludes says nothing of what it selects.
  const positive = selector.replace(/:not\((?:[^()]|\([^()]*\))*\)/g, (not) =>
    not.includes("data-theme") ? not : "",
  );
  return patterns.some((pattern) => pattern.test(positive));
}

/** Leaves out declarations of properties that neither sheet reads, until none is left. */
function withoutUnused(rules: CssRule[], own: string): string {
  const text = writeRules(rules);
  const used = new Set([...`${text}${own}`.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1]));
  const thinner = rules.flatMap((rule) => thinned(rule, used));
  return writeRules(thinner).length < text.length ? withoutUnused(thinner, own) : text;
}

function thinned(rule: CssRule, used: ReadonlySet<string | undefined>): CssRule[] {
  if (rule.inner) {
    const inner = rule.inner.flatMap((each) => thinned(each, used));
    return inner.length > 0 ? [{ ...rule, inner }] : [];
  }
  if (rule.prelude.startsWith("@")) return [rule];
  const declarations = splitAt(rule.body, ";");
  const names = declarations.map((declaration) => declaration.split(":", 1)[0]!.trim());
  const body = declarations.filter((_, at) => {
    const name = names[at]!;
    if (name.startsWith("--")) return used.has(name);
    return !names.includes(name, at + 1) && !isForOldEngines(name, names);
  });
  return body.length > 0 ? [{ ...rule, body: body.join(";") }] : [];
}

/** A prefixed property whose own name stands beside it; iOS knows this one by its prefix only. */
function isForOldEngines(name: string, beside: readonly string[]): boolean {
  if (name === "-webkit-text-size-adjust") return false;
  return (
    /^-(?:moz|ms|o)-/.test(name) ||
    (name.startsWith("-webkit-") && beside.includes(name.slice("-webkit-".length)))
  );
}

const PICO = "node_modules/@picocss/pico/css/pico.min.css";

/** `:is()` for browsers of 2020: it triples rules and weighs more than `:is()` in the cascade. */
const OLD_ANY = /[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g;

/**
 * Puts what is shown of Pico before a bundled sheet (bundling Pico makes it larger), without what the
 * patterns `absent` name; answers the address.
 */
export async function buildStyles(
  sheet: string,
  outdir: string,
  absent: readonly RegExp[] = [],
): Promise<string> {
  const result = await Bun.build({ entrypoints: [sheet], minify: true, target: "browser" });
  const bundled = (await Promise.all(result.outputs.map((output) => output.text()))).join("\n");
  const own = bundled.replace(OLD_ANY, "");
  const pico = await Bun.file(PICO).text();
  const css = `@layer pico{${picoParts(pico, own, absent)}}\n${own}`;
  const name = `${basename(sheet, ".css")}-${Bun.hash(css).toString(36).slice(0, 8)}.css`;
  await Bun.write(join(outdir, name), css);
  return `/assets/${name}`;
}
