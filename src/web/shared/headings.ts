/** Converts headings that the owner hasn't edited to the letter case of the look. */
import type { EnquiryTree } from "../../schema/enquiry/enquiry.ts";
import type { Content } from "../../schema/index.ts";
import type { Words } from "../words/en.ts";
import type { PageContent } from "./content.ts";
import { computeLetterWidths } from "./theme.ts";

type DefaultWords = Pick<Words, "defaults">;

/** Returns the content with unedited headings in the look's letter case, such as "Highlights" or "HIGHLIGHTS". */
export function applyHeadingCase(
  content: PageContent,
  styles: Content<"styles">,
  { defaults }: DefaultWords,
): PageContent {
  if (!hasLowercase(styles)) return content;
  const entries = Object.entries(defaults.headings).flatMap(([key, headings]) => {
    const value: unknown = content[key as keyof PageContent];
    if (value === undefined) return [];
    const shouldFillBlank = key === "coachingHero";
    const applyToItem = (item: object) => restoreLetterCase(item, headings, shouldFillBlank);
    return [[key, Array.isArray(value) ? value.map(applyToItem) : applyToItem(value as object)]];
  });
  return { ...content, ...Object.fromEntries(entries) };
}

/** Like `applyHeadingCase`, for a form's title. */
export function applyFormHeadingCase<E extends Pick<EnquiryTree, "title"> | null>(
  enquiry: E,
  styles: Content<"styles">,
  { defaults }: DefaultWords,
): E {
  if (enquiry === null || !hasLowercase(styles)) return enquiry;
  return restoreLetterCase(enquiry, defaults.headings.forms);
}

type Headings = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Restores the letter case of unedited headings. With `shouldFillBlank`, an empty text becomes the default. */
function restoreLetterCase<T extends object>(
  item: T,
  headings: Headings,
  shouldFillBlank = false,
): T {
  const values = item as Readonly<Record<string, unknown>>;
  const changedEntries = Object.entries(headings).flatMap(([field, texts]) => {
    const heading = [texts]
      .flatMap((text) => (typeof text === "string" ? text : Object.values(text)))
      .find((text) => values[field] === toCapitals(text) || (shouldFillBlank && !values[field]));
    return heading === undefined ? [] : [[field, heading]];
  });
  return changedEntries.length === 0 ? item : { ...item, ...Object.fromEntries(changedEntries) };
}

/** Returns the default texts of the coaching hero, for the texts that the owner left empty. */
export function createCoachingHeroDefaults({ defaults }: DefaultWords) {
  const { mainTitle, subtitle } = defaults.headings.coachingHero;
  const { tagline } = defaults.texts.coachingHero;
  return { mainTitle: toCapitals(mainTitle), subtitle: toCapitals(subtitle), tagline };
}

function hasLowercase({ headingFont, headingCase }: Content<"styles">): boolean {
  const { capital, small } = computeLetterWidths(headingFont, headingCase);
  return small < capital;
}

/** Converts a heading to capitals. Default headings are declared and stored in capitals. */
const toCapitals = (heading: string) => heading.toUpperCase();
