/** What a public page reads, where it comes from, and what is shown when a part is missing. */
import { initialValues } from "../schema/check.ts";
import { type Content, entities, type EntityKey } from "../schema/index.ts";
import type { Picture, Pictures } from "../schema/uploads.ts";

/** Gives pages their content: over HTTP in the browser, from the store on the server. */
export interface ContentSource {
  /** What a visitor sees of an entity; of `parent` only, for form steps and fields. Rejects on failure. */
  read<K extends EntityKey>(key: K, parent?: string): Promise<Content<K>>;
  /** Every uploaded picture that public content shows. */
  pictures(): Promise<Pictures>;
}

/** Content by entity; a part that could not be read is missing. */
export type PageContent = { [K in EntityKey]?: Content<K> };

/** A page's content together with the pictures it shows. */
export interface LoadedPage {
  readonly content: PageContent;
  readonly pictures: Readonly<Record<string, Picture>>;
}

/** Reads all parts at once; a part that fails is left out (spec section 8, "Failed public reads"). */
export async function loadPage(
  source: ContentSource,
  keys: readonly EntityKey[],
): Promise<LoadedPage> {
  const [all, ...parts] = await Promise.allSettled([
    source.pictures(),
    ...keys.map(async (key) => [key, await source.read(key)] as const),
  ]);
  const read = parts.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  const content = Object.fromEntries(read) as PageContent;
  return { content, pictures: all.status === "fulfilled" ? shownIn(content, all.value) : {} };
}

function shownIn(content: PageContent, pictures: Pictures): Pictures {
  const text = JSON.stringify(content);
  return Object.fromEntries(Object.entries(pictures).filter(([url]) => text.includes(url)));
}

/** The value of a singleton, or its defaults when it could not be read. */
export function valueOf<K extends SingletonKey>(content: PageContent, key: K): Content<K> {
  const read = content[key] as Content<K> | undefined;
  return read ?? (initialValues(entities[key].fields) as unknown as Content<K>);
}

type SingletonKey = {
  [K in EntityKey]: (typeof entities)[K] extends { shape: "singleton" } ? K : never;
}[EntityKey];
