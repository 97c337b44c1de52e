/** The server's content source: what a visitor would get over HTTP, straight from memory. */
import { parsedUrl } from "../../schema/core/boundedUnicode.ts";
import { titlesOn } from "../../schema/sections/coachingDefaults.ts";
import { type Entity, fieldsOf } from "../../schema/entities/entity.ts";
import { allEntities, type Content, entities, type EntityKey } from "../../schema/index.ts";
import type { Picture, Pictures, Scrim } from "../../schema/pictures/uploads.ts";
import { rimOf } from "../../schema/sections/heroPortrait.ts";
import { scrimBehindTitles } from "../../schema/looks/scrim.ts";
import { sortItems, visibleNow, visitorView } from "../../schema/entities/visitorView.ts";
import type { ContentSource } from "../../web/entry-server.tsx";
import type { Clock } from "../shared/clock.ts";
import { withPictureOrigin } from "../shared/pictureOrigin.ts";
import { visibilityContextAt } from "../shared/visibilityContext.ts";
import type { Store } from "../storage/store.ts";

interface StoreSourceOptions {
  readonly store: Store;
  readonly cleanHtml: (html: string) => string;
  /** The origin of pictures, if it isn't the site's. */
  readonly picturesFrom?: string | undefined;
  /** The site's current time. */
  readonly now: Clock;
}

/** Visitors' content from the store; rich text is sanitized again before it is sent. */
export function storeSource({
  store,
  cleanHtml,
  picturesFrom,
  now,
}: StoreSourceOptions): ContentSource {
  const clean = (html: string) => withPictureOrigin(cleanHtml(html), picturesFrom);
  return {
    read: async (key, parent) => {
      const content = publicContent(store, key, { now: now(), parent });
      const rich = htmlNames(entities[key]);
      return rich.length === 0 ? content : cleanContent(content, rich, clean);
    },
    pictures: async () => publicPictures(store, now(), picturesFrom),
  };
}

const htmlNames = (entity: Entity): string[] =>
  Object.entries(fieldsOf(entity)).flatMap(([name, { kind }]) => (kind.isHtml ? name : []));

function cleanContent<T>(content: T, names: string[], cleanHtml: (html: string) => string): T {
  if (Array.isArray(content))
    return content.map((item) => cleanContent(item, names, cleanHtml)) as T;
  const item = { ...content } as Record<string, unknown>;
  for (const name of names) item[name] = cleanHtml(String(item[name]));
  return item as T;
}

interface Which {
  /** The time shown, in milliseconds since 1970. Default: now, for content that doesn't depend on it. */
  readonly now?: number;
  /** For form steps and fields: the id of their parent. */
  readonly parent?: string | undefined;
}

/** The visitor's view of an entity. */
export function publicContent<K extends EntityKey>(
  store: Store,
  key: K,
  { now = Date.now(), parent }: Which = {},
): Content<K> {
  const entity: Entity = entities[key];
  if (entity.shape === "records")
    throw new Error(`${entity.name} isn't part of the site's content.`);
  const value = visitorView(entity, store.of(entity).read().value, visibilityContextAt(store, now));
  if (!Array.isArray(value)) return value as Content<K>;
  const field = entity.shape === "collection" ? entity.parent?.field : undefined;
  const items = field === undefined ? value : value.filter((item) => item[field] === parent);
  return sortItems(entity, items) as Content<K>;
}

/** Uploaded pictures that public content shows now, by path; `from` is the origin that serves them instead. */
export function publicPictures(store: Store, now: number, from?: string): Pictures {
  const shown = shownAddresses(store, now);
  const uploads = store.of(entities.uploads).read().value;
  const used = uploads.filter((upload) => shown.has(upload.url));
  const styles = publicContent(store, "styles");
  const hero = publicContent(store, "hero");
  const coachingHero = publicContent(store, "coachingHero");
  const lightOf = (upload: Upload) =>
    lightBehind(titlesOn(upload.url, { hero, coachingHero }), upload, styles);
  return Object.fromEntries(
    used.map((upload) => [
      upload.url,
      { ...pictureOf(upload), ...lightOf(upload), ...(from && { at: from + upload.url }) },
    ]),
  );
}

type Upload = Content<"uploads">[number];

interface CachedVeil {
  readonly of: string;
  readonly veil: Scrim | undefined;
}

/** Cached by picture, as they are immutable: computing one takes milliseconds, and each page needs several. */
const veils = new WeakMap<Upload, CachedVeil>();

/** The light of a picture behind these titles, for the heroes that show it. */
function lightBehind(titles: string[], upload: Upload, styles: Content<"styles">) {
  if (titles.length === 0) return undefined;
  const rim = rimOf(upload.light);
  const veil = rememberedVeil(titles, upload, styles);
  return { ...(rim !== undefined && { rim }), ...(veil && { veil }) };
}

function rememberedVeil(titles: string[], upload: Upload, styles: Content<"styles">) {
  const of = JSON.stringify([titles, styles]);
  const cached = veils.get(upload);
  if (cached?.of === of) return cached.veil;
  const veil = scrimBehindTitles(titles, upload, styles);
  veils.set(upload, { of, veil });
  return veil;
}

/** Without unset values: it is part of every page that shows the picture. */
function pictureOf(upload: Upload): Picture {
  const { width, height, widths, tone, alt, focus, cuts } = upload;
  return {
    width,
    height,
    widths,
    // A placeholder would show through a transparent picture.
    placeholder: tone ? "" : upload.placeholder,
    ...(tone && { tone }),
    ...(alt && !upload.decorative && { alt }),
    ...(focus && { focus }),
    ...(cuts && { cuts }),
  };
}

/** Other hosts of pictures in the owner's content, for the content security policy. */
export function pictureHosts(store: Store, now: number): string[] {
  const origins = [...shownAddresses(store, now)].map(originOf);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

const PLAIN_ORIGIN = /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:]+\])(?::\d+)?$/;

/** A plain origin that is safe in a header; undefined for anything else. */
function originOf(address: string): string | undefined {
  const origin = parsedUrl(address)?.origin ?? "";
  return PLAIN_ORIGIN.test(origin) ? origin : undefined;
}

/** The pictures in public content: declared ones, and those in rich text. */
function shownAddresses(store: Store, now: number): ReadonlySet<string> {
  const shown = new Set<string>();
  const sight = visibilityContextAt(store, now);
  for (const entity of SHOWING)
    for (const item of [visibleNow(entity, store.of(entity).read().value, sight) ?? []].flat())
      for (const address of addressesIn(entity, item as Item)) shown.add(address);
  return shown;
}

const SHOWING = allEntities
  .filter((entity) => entity.shape !== "records")
  .filter(({ readers }) => readers === "everyone");

/** Cached by item, as items are immutable: each page needs all of them, and few change. */
const urlsByItem = new WeakMap<object, readonly string[]>();

type Item = Readonly<Record<string, unknown>>;

function addressesIn(entity: Entity, item: Item): readonly string[] {
  const cached = urlsByItem.get(item);
  if (cached) return cached;
  const addresses = Object.entries(fieldsOf(entity)).flatMap(
    ([name, { kind }]) => kind.picturesIn?.(String(item[name] ?? "")) ?? [],
  );
  urlsByItem.set(item, addresses);
  return addresses;
}
