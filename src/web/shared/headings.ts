/** Shows unedited headings in the look's letter case. */
import { type Content, entities, type SingletonKey } from "../../schema/index.ts";
import type { PageContent } from "./content.ts";
import { letterWidths } from "./theme.ts";

/** The headings of sections, whose defaults are in capitals (specification, section 3). */
const HEADINGS = [
  ["about", "title"],
  ["highlightSettings", "heading"],
  ["connectSettings", "heading"],
  ["pressSettings", "heading"],
  ["transformationSettings", "heading"],
] as const satisfies readonly (readonly [SingletonKey, string])[];

/**
 * The content with headings for these styles: unless the look uses capitals, an unedited heading reads "Highlights"
 * rather than HIGHLIGHTS. A font that has only capitals keeps them, and stored values don't change.
 */
export function withHeadings(content: PageContent, styles: Content<"styles">): PageContent {
  const { capital, small } = letterWidths(styles.headingFont, styles.headingCase);
  if (small >= capital) return content;
  const shown = HEADINGS.flatMap(([key, field]) => {
    const value: Readonly<Record<string, unknown>> | undefined = content[key];
    const fields: Readonly<Record<string, { readonly initial: unknown }>> = entities[key].fields;
    const initial = fields[field]?.initial;
    return typeof initial === "string" && value?.[field] === initial
      ? [[key, { ...value, [field]: asTitle(initial) }]]
      : [];
  });
  return { ...content, ...Object.fromEntries(shown) };
}

const asTitle = (heading: string) => heading.charAt(0) + heading.slice(1).toLowerCase();
