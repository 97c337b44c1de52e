/** Builds a style sheet: the used part of Pico in its own layer, then our rules, which take precedence. */
import { join, resolve } from "node:path";
import { type Declaration, parse, type Root, type Rule } from "postcss";
import selectorParser, { type Node } from "postcss-selector-parser";

const PICO_PATH = "node_modules/@picocss/pico/css/pico.min.css";

/** Pico's selectors of elements that pages lack or that our sheets style without Pico, and of the light scheme. */
const ABSENT_SELECTORS = splitNames(`
  table thead tbody tfoot tr td th caption details summary progress dialog figure figcaption hgroup nav
  aside header main footer canvas iframe embed object audio video sub sup h4 h5 h6 optgroup area code kbd samp pre abbr mark
  ins del dl dt dd address template hr article
  .grid .container .container-fluid .dropdown .modal .modal-is-open .modal-is-opening .modal-is-closing
  .overflow-auto .striped .outline .secondary .contrast .close
  [data-theme=light] [data-tooltip] [data-placement] [multiple] [aria-busy] [aria-invalid] [aria-hidden] [dir=rtl] :indeterminate
  [role=button] [role=link] [role=group] [role=search] [role=switch] [role=checkbox] [role=listbox]
  [type=range] [type=file] [type=color] [type=date] [type=datetime-local] [type=month] [type=week]
  [type=time] [type=search] [type=reset] [type=image] ::file-selector-button`);

/** Selectors of buttons, to leave out of Pico: ui/plainButtons.css has all rules for buttons. */
export const BUTTON_SELECTORS = splitNames(`button [type=button] [type=submit]`);

/** Selectors of forms, to leave out of Pico on pages without forms. */
export const FORM_SELECTORS = splitNames(`
  input select textarea label fieldset legend [type] [aria-busy] [disabled] [aria-disabled]`);

export const NESTED_ELEMENTS = splitNames(`h2 h3 article blockquote b strong small`);

export const ARTICLE_SELECTORS = splitNames(`article blockquote`);

function splitNames(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}

/**
 * Bundles `sheets` in this order after the used part of Pico, and returns the URL. Leaves out Pico's rules for
 * `unusedNames`, and media queries that match `unusedMedia`. Pico isn't bundled, since the bundler would enlarge it.
 */
export async function buildStyles(
  name: string,
  sheets: readonly string[],
  outdir: string,
  unusedNames: readonly string[] = [],
  unusedMedia?: RegExp,
): Promise<string> {
  const css = await bundleSheets(name, sheets, unusedMedia);
  const pico = selectUsedPicoRules(await Bun.file(PICO_PATH).text(), css, unusedNames);
  return writeSheet(name, `@layer pico{${pico}}\n${css}`, outdir);
}

export async function buildAdditionalStyles(
  name: string,
  sheets: readonly string[],
  outdir: string,
): Promise<string> {
  return writeSheet(name, await bundleSheets(name, sheets), outdir);
}

async function bundleSheets(
  name: string,
  sheets: readonly string[],
  unusedMedia?: RegExp,
): Promise<string> {
  const entry = resolve(`${name}.css`);
  const imports = sheets.map((sheet) => `@import "${resolve(sheet)}";`).join("\n");
  const result = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: imports },
    minify: true,
    target: "browser",
  });
  const texts = await Promise.all(result.outputs.map((output) => output.text()));
  return removeDeadRules(texts.join("\n"), unusedMedia).replace(RTL_LANGUAGES_PATTERN, ":dir(rtl)");
}

async function writeSheet(name: string, css: string, outdir: string): Promise<string> {
  const file = `${name}-${Bun.hash(css).toString(36).slice(0, 8)}.css`;
  await Bun.write(join(outdir, file), css);
  return `/assets/${file}`;
}

/**
 * Matches the bundler's replacement of `:dir(rtl)` for browsers of 2022: a list of languages. The list depends on the
 * declared language instead of the text's direction, so `:dir(rtl)` is written back.
 */
const RTL_LANGUAGES_PATTERN = /:is\((?::lang\([a-z]+\),?){5,}\)/g;

/** Removes media queries that match `unmetMedia`, and fallbacks for browsers of 2020, which triple the rules. */
function removeDeadRules(css: string, unmetMedia?: RegExp): string {
  const sheet = parse(css);
  sheet.walkAtRules("media", (rule) => {
    if (unmetMedia?.test(rule.params)) rule.remove();
  });
  sheet.walkRules(/:-(?:webkit|moz)-any\(/, (rule) => {
    rule.remove();
  });
  return sheet.toString();
}

/** Returns the rules of Pico that site and dashboard use, without those for `unusedNames`. */
export function selectUsedPicoRules(
  pico: string,
  css: string,
  unusedNames: readonly string[] = [],
): string {
  const sheet = parse(pico);
  const absent = new Set([...ABSENT_SELECTORS, ...unusedNames]);
  sheet.walkComments((comment) => {
    comment.remove();
  });
  sheet.walkAtRules((rule) => {
    if (ABSENT_AT_RULES[rule.name]?.test(rule.params)) rule.remove();
  });
  sheet.walkRules((rule) => {
    const usedSelectors = rule.selectors.filter((selector) => !isAbsentSelector(absent, selector));
    if (usedSelectors.length > 0) rule.selectors = usedSelectors;
    else rule.remove();
    removeRepeatedDeclarations(rule);
  });
  removeOverriddenProperties(sheet, parse(css));
  removeUnusedProperties(sheet, css);
  removeEmptyRules(sheet);
  return sheet.toString();
}

/** The parameters of at-rules to leave out, by name. Pico's root font size grows with `min-width`; ours doesn't. */
const ABSENT_AT_RULES: Readonly<Record<string, RegExp>> = {
  charset: /./,
  media: /print|prefers-color-scheme|min-width/,
  "-moz-document": /./,
  keyframes: /modal|progress|tooltip/,
};

/** Whether a selector matches only absent elements. Names inside `:not()` don't count. */
function isAbsentSelector(absent: ReadonlySet<string>, selector: string): boolean {
  let isAbsent = false;
  const visit = (node: Node): void => {
    if (node.type === "pseudo" && node.value === ":not") {
      // Pico's light scheme excludes the dark scheme with `:not()`.
      if (String(node).includes("[data-theme=dark]")) isAbsent = true;
      return;
    }
    if (listSelectorNames(node).some((name) => absent.has(name) || isVendorPrefixed(name)))
      isAbsent = true;
    if ("nodes" in node) node.nodes.forEach(visit);
  };
  selectorParser((root) => visit(root as Node)).processSync(selector);
  return isAbsent;
}

function listSelectorNames(node: Node): string[] {
  switch (node.type) {
    case "tag":
    case "pseudo":
      return [node.value];
    case "class":
      return [`.${node.value}`];
    case "attribute":
      return [`[${node.attribute}]`, `[${node.attribute}=${node.value}]`];
    default:
      return [];
  }
}

const isVendorPrefixed = (name: string) => /^::?-/.test(name);

function removeRepeatedDeclarations(rule: Rule): void {
  const declarations = rule.nodes.filter((node): node is Declaration => node.type === "decl");
  const names = declarations.map(({ prop }) => prop);
  declarations.forEach((declaration, index) => {
    if (declaration.variable) return;
    if (names.includes(declaration.prop, index + 1) || isObsoletePrefix(declaration.prop, names))
      declaration.remove();
  });
}

/** iOS supports `text-size-adjust` only with its prefix. */
function isObsoletePrefix(name: string, siblingNames: readonly string[]): boolean {
  if (name === "-webkit-text-size-adjust") return false;
  return (
    /^-(?:moz|ms|o)-/.test(name) ||
    (name.startsWith("-webkit-") && siblingNames.includes(name.slice("-webkit-".length)))
  );
}

const ROOT_SELECTOR_PATTERN = /^(?::root|:host|\[data-theme=dark\])$/;

/** Removes Pico's root properties that our `:root` rules override, or that are only read where they are set again. */
function removeOverriddenProperties(sheet: Root, siteSheet: Root): void {
  const siteProperties = new Set<string>();
  siteSheet.walkDecls(/^--/, (declaration) => {
    const rule = findParentRule(declaration);
    // Skips rules inside a media query, since they don't always apply.
    if (rule?.parent === siteSheet && rule.selectors.includes(":root"))
      siteProperties.add(declaration.prop);
  });
  const readProperties = new Set<string>();
  const addReadProperties = (declaration: Declaration) => {
    for (const [name] of declaration.value.matchAll(/(?<=var\()--[\w-]+/g))
      if (!isSetInRule(declaration, name)) readProperties.add(name);
  };
  for (const each of [sheet, siteSheet]) each.walkDecls(addReadProperties);
  sheet.walkDecls(/^--/, (declaration) => {
    const isRootRule = findParentRule(declaration)?.selectors.every((selector) =>
      ROOT_SELECTOR_PATTERN.test(selector),
    );
    if (
      isRootRule &&
      (siteProperties.has(declaration.prop) || !readProperties.has(declaration.prop))
    )
      declaration.remove();
  });
}

function isSetInRule(declaration: Declaration, name: string): boolean {
  return (
    findParentRule(declaration)?.some((node) => node.type === "decl" && node.prop === name) ?? false
  );
}

function findParentRule({ parent }: Declaration): Rule | undefined {
  return parent?.type === "rule" ? (parent as Rule) : undefined;
}

/** Removes properties that neither sheet reads. Repeats the search, since one property may have read another. */
function removeUnusedProperties(sheet: Root, siteCss: string): void {
  const text = `${sheet.toString()}${siteCss}`;
  const readProperties = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1]));
  let hasChanged = false;
  sheet.walkDecls(/^--/, (declaration) => {
    if (readProperties.has(declaration.prop)) return;
    declaration.remove();
    hasChanged = true;
  });
  if (hasChanged) removeUnusedProperties(sheet, siteCss);
}

function removeEmptyRules(sheet: Root): void {
  sheet.walkRules((rule) => {
    if (rule.nodes.length === 0) rule.remove();
  });
  sheet.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove();
  });
}
