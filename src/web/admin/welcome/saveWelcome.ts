/** The welcome's writes: each step saves when it is left, so that it can be closed at any time. */
import { DEFAULT_ARRANGEMENT, positionAfterLast } from "../../../schema/entities/entity.ts";
import type { Content, Item } from "../../../schema/index.ts";
import type { ColoredSettingsKey, Look, CustomColors } from "../../../schema/looks/looks.ts";
import { loadSiteWords } from "../../words/load.ts";
import { queryClient } from "../data/client.ts";
import { createEntityQuery } from "../data/useEntity.ts";
import { createItem, deleteItem, saveEntities, saveEntity, updateItem } from "../data/writes.ts";
import { FORM_TEMPLATES, writeTemplate } from "../tabs/forms/templates.ts";
import type { LinkResult } from "./channelLinks.ts";
import { joinList } from "../../shared/joinList.ts";

/** The first step's fields. */
export interface PosterFields {
  readonly name: string;
  readonly does: string;
  readonly where: string;
}

/** The parts of a description: "Performer & stage coach". */
export function splitOccupation(does: string): string[] {
  return does
    .split(/[,&•]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Parts as text: the first with a capital, the last after "&". `language` is the site's. */
export function joinParts(parts: readonly string[], language: string): string {
  const words = parts.map((part, at) =>
    at === 0 ? capitalize(part) : uncapitalize(part, language),
  );
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} & ${words.at(-1)}`;
}

const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** "DJ" and other capitals are preserved, and so are German nouns. */
const uncapitalize = (word: string, language: string) =>
  /^\p{Lu}\p{Ll}/u.test(word) && !/^de\b/.test(language)
    ? word.slice(0, 1).toLowerCase() + word.slice(1)
    : word;

/** The hero with these texts. */
export function createHero({ name, does, where }: PosterFields): Partial<Content<"hero">> {
  const parts = splitOccupation(does).map(capitalize);
  const tagline = (where.trim() === "" ? parts : splitOccupation(where)).join(" • ");
  return {
    mainTitle: name.trim(),
    subtitle: does.trim() || name.trim(),
    tagline: tagline || name.trim(),
  };
}

/**
 * About's first sentence; undefined without what somebody does. Only English has an article: elsewhere it would depend
 * on who it is.
 */
function createFirstSentence(
  { name, does }: Pick<PosterFields, "name" | "does">,
  language: string,
): string | undefined {
  const parts = splitOccupation(does).map((part) => uncapitalize(part, language));
  const [first = ""] = parts;
  if (first === "") return undefined;
  const list = joinList(parts, { language });
  const article = /^[aeiou]/i.test(first) ? "an" : "a";
  const sentence = /^en\b/.test(language)
    ? `${name.trim()} is ${article} ${list}.`
    : `${name.trim()}: ${list}.`;
  return `<p>${escapeHtml(sentence)}</p>`;
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Saves the hero's texts; About gets its first sentence unless it has text. */
export async function savePoster(fields: PosterFields, before: Content<"hero">): Promise<void> {
  await saveEntity("site", { name: fields.name.trim() });
  await saveEntity("hero", createHero(fields));
  const { value: site } = await queryClient.fetchQuery(createEntityQuery("site"));
  const { words } = await loadSiteWords(site.language);
  const sentence = createFirstSentence(fields, site.language);
  const { value: about } = await queryClient.fetchQuery(createEntityQuery("about"));
  const earlier = { name: before.mainTitle, does: before.subtitle };
  const untouched = [
    words.defaults.texts.about.content,
    createFirstSentence(earlier, site.language),
  ];
  if (sentence !== undefined && untouched.includes(about.content))
    await saveEntity("about", { content: sentence });
}

/**
 * Sets both heroes' background, and optionally a second photo for About; without one, About's photo is
 * unchanged.
 */
export async function savePhotos(url: string, second: string | undefined): Promise<void> {
  await saveEntity("hero", { backgroundImage: url });
  if (second !== undefined) await saveEntity("about", { image: second });
  for (const [key, field] of [
    ["about", "image"],
    ["coachingHero", "backgroundImage"],
  ] as const) {
    // In sequence: a failure leaves earlier writes done.
    const { value } = await queryClient.fetchQuery(createEntityQuery(key));
    // oxlint-disable-next-line no-await-in-loop
    if ((value as Record<string, unknown>)[field] === null) await saveEntity(key, { [field]: url });
  }
}

/** A place with its result; undefined if the field is empty. */
interface ChannelLink {
  readonly key: string;
  readonly made: Extract<LinkResult, { ok: true }> | undefined;
}

/** Adds, changes and removes links, and sets the email address for visitors. */
export async function saveLinks(
  channelLinks: readonly ChannelLink[],
  links: readonly Item<"connectLinks">[],
): Promise<void> {
  let order = positionAfterLast(DEFAULT_ARRANGEMENT, links);
  for (const { key, made } of channelLinks) {
    if (key === "email") {
      await saveEntity("site", { contactEmail: made?.displayText ?? null }); // oxlint-disable-line no-await-in-loop
      continue;
    }
    const existing = links.find(({ platform }) => platform === key);
    const shown = made && { url: made.url, displayText: made.displayText };
    // In sequence, so that links are in the fields' order.
    if (existing && !shown) await deleteItem("connectLinks", existing.id); // oxlint-disable-line no-await-in-loop
    if (existing && shown) await updateItem("connectLinks", existing.id, shown); // oxlint-disable-line no-await-in-loop
    if (!existing && shown) {
      const link = { platform: key, ...shown, order: (order += 1) - 1, isActive: true };
      await createItem("connectLinks", link); // oxlint-disable-line no-await-in-loop
    }
  }
}

/** Stems of words for people who teach, in the languages with words. */
const COACH_WORD_PATTERN =
  /coach|train|teach|mentor|lehr|unterricht|profes|entrena|formador|formazion|formation|formateur|allena|insegn|maestr|docent|trener|szkole|nauczyc|trein/i;

/**
 * Saves the look for both pages; without an enquiry form, adds one that fits what somebody does, and the heroes'
 * buttons to it.
 */
export async function finishSite(look: Look | undefined, does: string): Promise<void> {
  if (look) {
    const sections = Object.entries(look.sections) as [ColoredSettingsKey, CustomColors][];
    const colors = sections.map(([key, customColors]) => ({ key, body: { ...customColors } }));
    await saveEntities([{ key: "styles", body: look.styles }, ...colors]);
  }
  const { value: forms } = await queryClient.fetchQuery(createEntityQuery("forms"));
  const coaches = COACH_WORD_PATTERN.test(does) || does.trim() === "";
  if (forms.length > 0) return;
  // Before the form, so that a retry after a failure does everything.
  for (const key of ["hero", "coachingHero"] as const) {
    const { value } = await queryClient.fetchQuery(createEntityQuery(key)); // oxlint-disable-line no-await-in-loop
    const buttonText = coaches ? "Work with me" : "Book a show";
    if (!value.buttonText) await saveEntity(key, { buttonText }); // oxlint-disable-line no-await-in-loop
  }
  const [coaching, show] = FORM_TEMPLATES;
  await writeTemplate(coaches ? coaching : show);
}
