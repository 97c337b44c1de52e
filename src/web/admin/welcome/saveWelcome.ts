/** The writes of the welcome assistant. Each screen is saved when the owner leaves it. */
import { DEFAULT_ARRANGEMENT, computePositionAfterLast } from "../../../schema/entities/entity.ts";
import { splitTrimmed } from "../../../schema/core/splitTrimmed.ts";
import type { Content, Item } from "../../../schema/index.ts";
import type {
  ColoredSettingsKey,
  Look,
  OptionalSectionColors,
} from "../../../schema/looks/looks.ts";
import { loadSiteWords } from "../../words/loadSiteWords.ts";
import { queryClient } from "../data/client.ts";
import { createEntityQuery } from "../data/useEntity.ts";
import {
  createItem,
  deleteItem,
  saveEntities,
  saveEntity,
  updateItem,
} from "../data/entityWrites.ts";
import { FORM_TEMPLATES, createFormFromTemplate } from "../tabs/forms/templates.ts";
import type { Channel, LinkResult } from "./channelLinks.ts";
import { joinList } from "../../shared/joinList.ts";

export interface HeroTextFields {
  readonly name: string;
  readonly occupation: string;
  readonly location: string;
}

/** "Performer & stage coach" has two parts. */
export const splitParts = (text: string): string[] => splitTrimmed(text, /[,&•]/);

/** Joins the parts of an occupation with commas and "&". Capitalizes the first part. */
export function joinParts(parts: readonly string[], language: string): string {
  const formattedParts = parts.map((part, index) =>
    index === 0 ? capitalize(part) : uncapitalize(part, language),
  );
  return formattedParts.length < 2
    ? formattedParts.join("")
    : `${formattedParts.slice(0, -1).join(", ")} & ${formattedParts.at(-1)}`;
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Makes the first letter lowercase, except in abbreviations such as "DJ" and in German. */
const uncapitalize = (word: string, language: string) =>
  /^\p{Lu}\p{Ll}/u.test(word) && !/^de\b/.test(language)
    ? word.slice(0, 1).toLowerCase() + word.slice(1)
    : word;

export function createHeroTexts({
  name,
  occupation,
  location,
}: HeroTextFields): Partial<Content<"hero">> {
  const parts = splitParts(occupation).map(capitalize);
  const tagline = (location.trim() === "" ? parts : splitParts(location)).join(" • ");
  return {
    mainTitle: name.trim(),
    subtitle: occupation.trim() || name.trim(),
    tagline: tagline || name.trim(),
  };
}

/**
 * Returns the first sentence of About. Undefined without an occupation. Only English has an article: in other
 * languages, it would depend on the person's gender.
 */
export function createFirstSentence(
  { name, occupation }: Pick<HeroTextFields, "name" | "occupation">,
  language: string,
): string | undefined {
  const parts = splitParts(occupation).map((part) => uncapitalize(part, language));
  const [first = ""] = parts;
  if (first === "") return undefined;
  const roles = joinList(parts, { language });
  const article = /^[aeiou]/i.test(first) ? "an" : "a";
  const sentence = /^en\b/.test(language)
    ? `${name.trim()} is ${article} ${roles}.`
    : `${name.trim()}: ${roles}.`;
  return `<p>${escapeHtml(sentence)}</p>`;
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Saves the hero's texts, and the first sentence of About unless the owner has written About. */
export async function saveHeroText(
  fields: HeroTextFields,
  heroBefore: Content<"hero">,
): Promise<void> {
  await saveEntity("site", { name: fields.name.trim() });
  await saveEntity("hero", createHeroTexts(fields));
  const { value: site } = await queryClient.fetchQuery(createEntityQuery("site"));
  const { words } = await loadSiteWords(site.language);
  const sentence = createFirstSentence(fields, site.language);
  const { value: about } = await queryClient.fetchQuery(createEntityQuery("about"));
  const fieldsBefore = { name: heroBefore.mainTitle, occupation: heroBefore.subtitle };
  const unchangedContents = [
    words.defaults.texts.about.content,
    createFirstSentence(fieldsBefore, site.language),
  ];
  if (sentence !== undefined && unchangedContents.includes(about.content))
    await saveEntity("about", { content: sentence });
}

/** Saves the hero's photo, and `second` for About. About and the coaching hero get the hero's if they have none. */
export async function savePhotos(url: string, second: string | undefined): Promise<void> {
  await saveEntity("hero", { backgroundImage: url });
  if (second !== undefined) await saveEntity("about", { image: second });
  for (const [key, field] of [
    ["about", "image"],
    ["coachingHero", "backgroundImage"],
  ] as const) {
    const { value } = await queryClient.fetchQuery(createEntityQuery(key));
    // oxlint-disable-next-line no-await-in-loop
    if ((value as Record<string, unknown>)[field] === null) await saveEntity(key, { [field]: url });
  }
}

/** A channel's field. `result` is the link that was read from it; undefined if it is empty. */
interface ChannelInput {
  readonly channel: Channel;
  readonly result: LinkResult | undefined;
}

/** Saves valid links and the contact email address. Deletes the links of empty fields. */
export async function saveLinks(
  inputs: readonly ChannelInput[],
  links: readonly Item<"connectLinks">[],
): Promise<void> {
  let order = computePositionAfterLast(DEFAULT_ARRANGEMENT, links);
  for (const { channel, result } of inputs) {
    const { key } = channel;
    const fields = result?.ok ? { url: result.url, displayText: result.displayText } : undefined;
    if (key === "email") {
      await saveEntity("site", { contactEmail: fields?.displayText ?? null }); // oxlint-disable-line no-await-in-loop
      continue;
    }
    const existingLink = links.find(({ platform }) => platform === key);
    // The links are saved in sequence, so that they have the same order as the fields.
    if (existingLink && !fields) await deleteItem("connectLinks", existingLink.id); // oxlint-disable-line no-await-in-loop
    if (existingLink && fields) await updateItem("connectLinks", existingLink.id, fields); // oxlint-disable-line no-await-in-loop
    if (!existingLink && fields) {
      const link = { platform: key, ...fields, order: (order += 1) - 1, isActive: true };
      await createItem("connectLinks", link); // oxlint-disable-line no-await-in-loop
    }
  }
}

/** Matches words for people who teach, in all languages of the site. */
const COACH_WORD_PATTERN =
  /coach|train|teach|mentor|lehr|unterricht|profes|entrena|formador|formazion|formation|formateur|allena|insegn|maestr|docent|trener|szkole|nauczyc|trein/i;

/** Saves the look. If the site has no form, adds one that fits the occupation, with a button for it in both heroes. */
export async function finishSite(look: Look | undefined, occupation: string): Promise<void> {
  if (look) {
    const sections = Object.entries(look.sections) as [ColoredSettingsKey, OptionalSectionColors][];
    const colors = sections.map(([key, customColors]) => ({ key, body: { ...customColors } }));
    await saveEntities([{ key: "styles", body: look.styles }, ...colors]);
  }
  const { value: forms } = await queryClient.fetchQuery(createEntityQuery("forms"));
  const isCoach = COACH_WORD_PATTERN.test(occupation) || occupation.trim() === "";
  if (forms.length > 0) return;
  // The buttons come first: after a failed save, a retry would find the form and skip the buttons.
  for (const key of ["hero", "coachingHero"] as const) {
    const { value } = await queryClient.fetchQuery(createEntityQuery(key)); // oxlint-disable-line no-await-in-loop
    const buttonText = isCoach ? "Work with me" : "Book a show";
    if (!value.buttonText) await saveEntity(key, { buttonText }); // oxlint-disable-line no-await-in-loop
  }
  const [coaching, show] = FORM_TEMPLATES;
  await createFormFromTemplate(isCoach ? coaching : show);
}
