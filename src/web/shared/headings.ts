/** Shows unedited headings in the look's letter case. */
import type { EnquiryTree } from "../../schema/enquiry/enquiry.ts";
import type { Content } from "../../schema/index.ts";
import type { Words } from "../words/en.ts";
import type { PageContent } from "./content.ts";
import { computeLetterWidths } from "./theme.ts";

type DefaultWords = Pick<Words, "defaults">;

/**
 * The content with headings for these styles: unless the look uses capitals, an unedited heading reads "Highlights"
 * rather than HIGHLIGHTS. With a font that has only capitals they are unchanged, and stored values don't change.
 */
export function applyHeadings(
  content: PageContent,
  styles: Content<"styles">,
  { defaults }: DefaultWords,
): PageContent {
  if (!hasSmallLetters(styles)) return content;
  const shown = Object.entries(defaults.headings).flatMap(([key, headings]) => {
    const value: unknown = content[key as keyof PageContent];
    if (value === undefined) return [];
    const isBlankDefault = key === "coachingHero";
    const applyToItem = (item: object) => restoreTypedHeadings(item, headings, isBlankDefault);
    return [[key, Array.isArray(value) ? value.map(applyToItem) : applyToItem(value as object)]];
  });
  return { ...content, ...Object.fromEntries(shown) };
}

/** A form with its title for these styles. */
export function applyFormHeading<E extends Pick<EnquiryTree, "title"> | null>(
  enquiry: E,
  styles: Content<"styles">,
  { defaults }: DefaultWords,
): E {
  if (enquiry === null || !hasSmallLetters(styles)) return enquiry;
  return restoreTypedHeadings(enquiry, defaults.headings.forms);
}

type Headings = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** `isBlankDefault`: an empty text shows the default. */
function restoreTypedHeadings<T extends object>(
  item: T,
  headings: Headings,
  isBlankDefault = false,
): T {
  const values = item as Readonly<Record<string, unknown>>;
  const changed = Object.entries(headings).flatMap(([field, texts]) => {
    const heading = [texts]
      .flatMap((text) => (typeof text === "string" ? text : Object.values(text)))
      .find((text) => values[field] === toCapitals(text) || (isBlankDefault && !values[field]));
    return heading === undefined ? [] : [[field, heading]];
  });
  return changed.length === 0 ? item : { ...item, ...Object.fromEntries(changed) };
}

/** The texts of the coaching hero where its own are empty. */
export function createCoachingHeroDefaults({ defaults }: DefaultWords) {
  const { mainTitle, subtitle } = defaults.headings.coachingHero;
  const { tagline } = defaults.texts.coachingHero;
  return { mainTitle: toCapitals(mainTitle), subtitle: toCapitals(subtitle), tagline };
}

function hasSmallLetters({ headingFont, headingCase }: Content<"styles">): boolean {
  const { capital, small } = computeLetterWidths(headingFont, headingCase);
  return small < capital;
}

/** As headings are declared and stored. */
const toCapitals = (heading: string) => heading.toUpperCase();
