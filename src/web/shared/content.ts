/** What a public page reads, where it comes from, and what is shown when a part is missing. */
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import type { Content, EntityKey, SingletonKey } from "../../schema/index.ts";
import type { Pictures } from "../../schema/pictures.ts";

/** Gives pages their content, from the store. */
export interface ContentSource {
  /** What a visitor sees of an entity; of `parent` only, for form steps and fields. Rejects on failure. */
  read<K extends EntityKey>(key: K, parent?: string): Promise<Content<K>>;
  /** Every uploaded picture that public content shows. */
  pictures(): Promise<Pictures>;
}

/** What the server knows of a page besides its content. */
export interface ServerState {
  /** Where a post of the enquiry form without scripts has led. */
  readonly enquiryState?: PlainEnquiryState | undefined;
  /** A form has this address and isn't active. */
  readonly isClosed?: boolean;
}

/** Content by entity; a part that could not be read is missing. */
export type PageContent = { [K in EntityKey]?: Content<K> };

/** A page's content together with the pictures it shows. */
export interface LoadedPage {
  readonly content: PageContent;
  readonly pictures: Pictures;
}

/** The value of a singleton that the page reads. */
export function valueOf<K extends SingletonKey>(content: PageContent, key: K): Content<K> {
  return content[key] as Content<K>;
}
