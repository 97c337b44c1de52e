/** The content for the page renderer: what a visitor would get over HTTP, but read from memory. */
import { parseUrl } from "../../schema/core/boundedUnicode.ts";
import { findTitlesOverPhoto } from "../../schema/sections/coachingDefaults.ts";
import { type Entity, getEntityFields, type StoredItem } from "../../schema/entities/entity.ts";
import { type Content, entities, type EntityKey, publicEntities } from "../../schema/index.ts";
import type { Picture, Pictures, Scrim } from "../../schema/pictures/uploads.ts";
import { computeTopEdgeGray } from "../../schema/sections/heroPortrait.ts";
import { computeScrimBehindTitles } from "../../schema/looks/scrim.ts";
import { sortItems, selectVisible, createVisitorView } from "../../schema/entities/visitorView.ts";
import type { ContentSource } from "../../web/entry-server.tsx";
import type { Clock } from "../shared/clock.ts";
import { rewritePictureOrigin } from "../shared/pictureOrigin.ts";
import { createVisibilityContext } from "../shared/visibilityContext.ts";
import type { Store } from "../storage/store.ts";

interface StoreSourceOptions {
  readonly store: Store;
  readonly cleanHtml: (html: string) => string;
  /** The origin that serves pictures; undefined if it is the site's own. */
  readonly pictureOrigin?: string | undefined;
  readonly now: Clock;
}

/** Creates a source of visitors' content from the store. Rich text is sanitized again before it is sent. */
export function createContentSource({
  store,
  cleanHtml,
  pictureOrigin,
  now,
}: StoreSourceOptions): ContentSource {
  const cleanForVisitors = (html: string) => rewritePictureOrigin(cleanHtml(html), pictureOrigin);
  return {
    read: async (key, parent) => {
      const content = readPublicContent(store, key, { now: now(), parent });
      const htmlFieldNames = listHtmlFieldNames(entities[key]);
      return htmlFieldNames.length === 0
        ? content
        : sanitizeContent(content, htmlFieldNames, cleanForVisitors);
    },
    readPictures: async () => findPublicPictures(store, now(), pictureOrigin),
  };
}

const listHtmlFieldNames = (entity: Entity): string[] =>
  Object.entries(getEntityFields(entity)).flatMap(([name, { kind }]) => (kind.isHtml ? name : []));

function sanitizeContent<T>(
  content: T,
  fieldNames: string[],
  cleanHtml: (html: string) => string,
): T {
  if (Array.isArray(content))
    return content.map((item) => sanitizeContent(item, fieldNames, cleanHtml)) as T;
  const item = { ...content } as Record<string, unknown>;
  for (const name of fieldNames) item[name] = cleanHtml(String(item[name]));
  return item as T;
}

interface ContentSelection {
  /** The time for which content is shown, in milliseconds since 1970. Default: now. */
  readonly now?: number;
  /** The id of the parent, for form steps and fields. */
  readonly parent?: string | undefined;
}

/** Returns an entity as a visitor sees it. */
export function readPublicContent<K extends EntityKey>(
  store: Store,
  key: K,
  { now = Date.now(), parent }: ContentSelection = {},
): Content<K> {
  const entity: Entity = entities[key];
  if (entity.shape === "records")
    throw new Error(`${entity.name} isn't part of the site's content.`);
  const value = createVisitorView(
    entity,
    store.of(entity).read().value,
    createVisibilityContext(store, now),
  );
  if (entity.shape !== "collection") return value as Content<K>;
  const { parent: declaredParent } = entity;
  const items = (value as StoredItem[]).filter(
    (item) => declaredParent === undefined || item[declaredParent.field] === parent,
  );
  return sortItems(entity, items) as Content<K>;
}

/** Returns the uploaded pictures that visitors see, by path. With `pictureOrigin`, each also has a URL there. */
export function findPublicPictures(store: Store, now: number, pictureOrigin?: string): Pictures {
  const shownUrls = findShownPictureUrls(store, now);
  const uploads = store.of(entities.uploads).read().value;
  const shownUploads = uploads.filter((upload) => shownUrls.has(upload.url));
  const styles = readPublicContent(store, "styles");
  const hero = readPublicContent(store, "hero");
  const coachingHero = readPublicContent(store, "coachingHero");
  const findPictureScrim = (upload: Upload) =>
    findScrim(findTitlesOverPhoto(upload.url, { hero, coachingHero }), upload, styles);
  return Object.fromEntries(
    shownUploads.map((upload) => [
      upload.url,
      {
        ...toPicture(upload),
        ...findPictureScrim(upload),
        ...(pictureOrigin && { at: pictureOrigin + upload.url }),
      },
    ]),
  );
}

type Upload = Content<"uploads">[number];

/** The scrims by picture, cached since computing one takes milliseconds. Pictures never change. */
const scrimCache = new WeakMap<Upload, { key: string; veil: Scrim | undefined }>();

/** Returns the scrim of a picture. `titles` are the titles of all heroes that show the picture. */
function findScrim(titles: string[], upload: Upload, styles: Content<"styles">) {
  if (titles.length === 0) return undefined;
  const rim = computeTopEdgeGray(upload.light);
  const veil = findCachedScrim(titles, upload, styles);
  return { ...(rim !== undefined && { rim }), ...(veil && { veil }) };
}

function findCachedScrim(titles: string[], upload: Upload, styles: Content<"styles">) {
  const cacheKey = JSON.stringify([titles, styles]);
  const cached = scrimCache.get(upload);
  if (cached?.key === cacheKey) return cached.veil;
  const veil = computeScrimBehindTitles(titles, upload, styles);
  scrimCache.set(upload, { key: cacheKey, veil });
  return veil;
}

/** Returns a picture's values. Unset values are left out, to keep the pages small. */
function toPicture(upload: Upload): Picture {
  const { width, height, widths, tone, alt, focus, cuts } = upload;
  return {
    width,
    height,
    widths,
    // A transparent picture gets no placeholder, since a placeholder would show through the picture.
    placeholder: tone ? "" : upload.placeholder,
    ...(tone && { tone }),
    ...(alt && !upload.decorative && { alt }),
    ...(focus && { focus }),
    ...(cuts && { cuts }),
  };
}

/** Returns the origins of pictures on other sites in public content, for the content security policy. */
export function findPictureHosts(store: Store, now: number): string[] {
  const origins = [...findShownPictureUrls(store, now)].map(parseOrigin);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

const PLAIN_ORIGIN_PATTERN = /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:]+\])(?::\d+)?$/;

/** Returns the origin of a URL if the origin is safe in a header. */
function parseOrigin(url: string): string | undefined {
  const origin = parseUrl(url)?.origin ?? "";
  return PLAIN_ORIGIN_PATTERN.test(origin) ? origin : undefined;
}

/** Finds the URLs of pictures in public content, in picture fields and in rich text. */
function findShownPictureUrls(store: Store, now: number): ReadonlySet<string> {
  const urls = new Set<string>();
  const visibility = createVisibilityContext(store, now);
  for (const entity of publicEntities)
    for (const item of [
      selectVisible(entity, store.of(entity).read().value as object, visibility) ?? [],
    ].flat())
      for (const url of findPictureUrls(entity, item as Item)) urls.add(url);
  return urls;
}

/** The picture URLs by item, cached since each page needs those of all items. A changed item is a new object. */
const pictureUrlCache = new WeakMap<object, readonly string[]>();

type Item = Readonly<Record<string, unknown>>;

function findPictureUrls(entity: Entity, item: Item): readonly string[] {
  const cached = pictureUrlCache.get(item);
  if (cached) return cached;
  const urls = Object.entries(getEntityFields(entity)).flatMap(
    ([name, { kind }]) => kind.findPictures?.(String(item[name] ?? "")) ?? [],
  );
  pictureUrlCache.set(item, urls);
  return urls;
}
