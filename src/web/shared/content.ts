/** What a public page reads, where it comes from, and what is shown when a part is missing. */
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import type { Content, EntityKey, SingletonKey } from "../../schema/index.ts";
import type { Pictures } from "../../schema/pictures.ts";

/** Gives pages their content: over HTTP in the browser, from the store on the server. */
export interface ContentSource {
  /** What a visitor sees of an entity; of `parent` only, for form steps and fields. Rejects on failure. */
  read<K extends EntityKey>(key: K, parent?: string): Promise<Content<K>>;
  /** Every uploaded picture that public content shows. */
  pictures(): Promise<Pictures>;
  /** True while something could not be read when it was last asked for. */
  hasFailed?(): boolean;
}

/** What the server knows of a page besides its content. */
export interface ServerState {
  /** Where a post of the enquiry form without scripts has led. */
  readonly enquiryState?: PlainEnquiryState | undefined;
}

/** Content by entity; a part that could not be read is missing. */
export type PageContent = { [K in EntityKey]?: Content<K> };

/** A page's content together with the pictures it shows. */
export interface LoadedPage {
  readonly content: PageContent;
  readonly pictures: Pictures;
}

/**
 * Reads all parts at once; for one that fails the defaults of a site of this name stand in, and a list
 * is left out (specification, section 8.2).
 */
export async function loadPage(
  source: ContentSource,
  keys: readonly EntityKey[],
  siteName: string,
): Promise<LoadedPage> {
  const [all, ...parts] = await Promise.allSettled([
    source.pictures(),
    ...keys.map(async (key) => [key, await source.read(key)] as const),
  ]);
  const read = parts.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  const failed = read.length < keys.length;
  // Loaded only when needed: the declarations are many times the size of a page's own code.
  const defaults = failed ? (await import("./defaults.ts")).defaultsOf(keys, siteName) : {};
  const content = { ...defaults, ...Object.fromEntries(read) } as PageContent;
  return { content, pictures: all.status === "fulfilled" ? shownIn(content, all.value) : {} };
}

function shownIn(content: PageContent, pictures: Pictures): Pictures {
  const text = JSON.stringify(content);
  return Object.fromEntries(Object.entries(pictures).filter(([url]) => text.includes(url)));
}

/** The value of a singleton that the page reads. */
export function valueOf<K extends SingletonKey>(content: PageContent, key: K): Content<K> {
  return content[key] as Content<K>;
}
