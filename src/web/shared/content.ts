/** The content of a public page, and its source. */
import type { Content, EntityKey, SingletonKey } from "../../schema/index.ts";
import type { Pictures } from "../../schema/pictures/pictures.ts";

export interface ContentSource {
  /** Returns a visitor's view of an entity; for form steps and fields, only those of `parent`. Rejects on failure. */
  read<K extends EntityKey>(key: K, parent?: string): Promise<Content<K>>;
  /** Returns every uploaded picture that public content shows. */
  readPictures(): Promise<Pictures>;
}

/** Content by entity; parts that couldn't be read are missing. */
export type PageContent = { [K in EntityKey]?: Content<K> };

/** A page's content, with the pictures in it. */
export interface LoadedPage {
  readonly content: PageContent;
  readonly pictures: Pictures;
}

export function getSingletonValue<K extends SingletonKey>(
  content: PageContent,
  key: K,
): Content<K> {
  return content[key] as Content<K>;
}
