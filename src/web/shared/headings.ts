/** Headings that nobody has changed, in the letters of the look. */
import { type Content, entities, type SingletonKey } from "../../schema/index.ts";
import type { PageContent } from "./content.ts";
import { letterWidths } from "./theme.ts";

/** The heading of each section, whose first value is in capitals (specification, section 3). */
const HEADINGS = [
  ["about", "title"],
  ["highlightSettings", "heading"],
  ["connectSettings", "heading"],
  ["pressSettings", "heading"],
  ["transformationSettings", "heading"],
] as const satisfies readonly (readonly [SingletonKey, string])[];

/**
 * The content as these styles show it: where text stands as it was typed, a heading that nobody has changed reads
 * "Highlights" instead of shouting HIGHLIGHTS. Capitals stay in a font that has no other letters, and what is stored
 * stays as well.
 */
export function withHeadings(content: PageContent, styles: Content<"styles">): PageContent {
  const { capital, small } = letterWidths(styles.headingFont, styles.headingCase);
  if (small >= capital) return content;
  const shown = HEADINGS.flatMap(([key, field]) => {
    const value: Readonly<Record<string, unknown>> | undefined = content[key];
    const fields: Readonly<Record<string, { readonly initial: unknown }>> = entities[key].fields;
    const initial = String(fields[field]!.initial);
    return value?.[field] === initial ? [[key, { ...value, [field]: asTitle(initial) }]] : [];
  });
  return { ...content, ...Object.fromEntries(shown) };
}

const asTitle = (heading: string) => heading.charAt(0) + heading.slice(1).toLowerCase();
