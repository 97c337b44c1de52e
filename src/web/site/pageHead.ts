/** The head of public pages, with metadata for search engines and shared links. Only the server uses it. */
import { applyCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import { SHARE_PICTURE_PATHS, SHARE_PICTURE_SIZE_PX } from "../../schema/looks/sharePictures.ts";
import {
  createLetterPictureName,
  computeLetterPictureSize,
} from "../../schema/pictures/letterPicture.ts";
import type { Pictures } from "../../schema/pictures/pictures.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { toSafeUrl } from "../../schema/core/safeUrl.ts";
import {
  computeEventEnd,
  formatInstantWithOffset,
  formatWithOffset,
} from "../../schema/sections/eventTimes.ts";
import type { Item } from "../../schema/index.ts";
import { isOnPage } from "../../schema/sections/sectionSettings.ts";
import { splitTagline } from "../../schema/sections/tagline.ts";
import { parseVideo } from "../../schema/sections/videoAddress.ts";
import type { ContentSource } from "../shared/content.ts";
import type { PageContext } from "../shared/pageContext.ts";
import { getWords } from "../words/allWords.ts";
import { createCoachingHeroDefaults } from "../shared/headings.ts";
import type { PageMetadata } from "./pageMetadata.ts";
import { createPackageAnchor } from "./parts/packageAnchor.ts";
import { type DocumentHead, NOINDEX_META } from "./unlistedHead.ts";

/**
 * Creates the head of public pages. Elements that need a public address are omitted if none is configured, since a
 * request's Host header isn't trusted. `sharePictureFingerprint` identifies the content of drawn share pictures.
 */
export function createHeadBuilder(
  source: ContentSource,
  pageContext: PageContext,
  sharePictureFingerprint: string,
): (path: string, metadata: PageMetadata) => Promise<DocumentHead> {
  const { site, siteUrl } = pageContext;
  return async (path, metadata) => {
    const pictures = await source.readPictures();
    const toAbsoluteUrl: ToAbsoluteUrl = (pictureUrl) => {
      const url = pictures[pictureUrl ?? ""]?.at ?? pictureUrl;
      return url?.startsWith("/") ? siteUrl && `${siteUrl}${url}` : url;
    };
    const url = toAbsoluteUrl(path);
    const drawnPicturePath = SHARE_PICTURE_PATHS[path === COACHING_PATH ? path : "/"];
    const sharedPicture = metadata.picture
      ? findSharedPicture(pictures, metadata.picture)
      : { address: `${drawnPicturePath}?v=${sharePictureFingerprint}`, ...SHARE_PICTURE_SIZE_PX };
    const picture = toAbsoluteUrl(sharedPicture.address);
    const data = await STRUCTURED_DATA_BY_PATH[path]?.(
      source,
      pageContext,
      toAbsoluteUrl,
      metadata,
    );
    const meta = [
      { title: metadata.title },
      createNamedMeta("description", metadata.description),
      createPropertyMeta("og:title", metadata.title),
      pageContext.isUnlisted && NOINDEX_META,
      createPropertyMeta("og:type", path === "/" ? "profile" : "website"),
      createPropertyMeta("og:site_name", site.name),
      createPropertyMeta("og:description", metadata.description),
      createPropertyMeta("og:url", url),
      createPropertyMeta("og:image", picture),
      picture && createPropertyMeta("og:image:width", sharedPicture.width?.toString()),
      picture && createPropertyMeta("og:image:height", sharedPicture.height?.toString()),
      createNamedMeta("twitter:card", "summary_large_image"),
      createNamedMeta("twitter:title", metadata.title),
      createNamedMeta("twitter:description", metadata.description),
      createNamedMeta("twitter:image", picture),
      data && { "script:ld+json": { "@context": "https://schema.org", ...createGraph(data) } },
    ];
    return {
      meta: meta.filter((tag) => !!tag),
      links: [...createHeroExpectLinks(path), ...(url ? [{ rel: "canonical", href: url }] : [])],
    };
  };
}

interface SharedPicture {
  readonly address: string;
  /** The width in pixels. Width and height are undefined for a picture on another site. */
  readonly width?: number;
  readonly height?: number;
}

/** Returns the owner's picture in a file format that every messenger shows (`createLetterPictureName`). */
function findSharedPicture(pictures: Pictures, url: string): SharedPicture {
  const picture = pictures[url];
  if (!picture) return { address: url };
  const filename = picture.at ?? url;
  const { width, height, tone } = picture;
  const copyName = createLetterPictureName({ filename, width, tone });
  if (copyName) return { address: copyName, ...computeLetterPictureSize(picture) };
  return { address: filename, width, height };
}

/**
 * Creates a link that delays the first paint until the whole hero is parsed. On a slow phone, the title would otherwise
 * move up while the text below it arrives (a layout shift of up to 0.3).
 */
function createHeroExpectLinks(path: string) {
  const id = HERO_IDS[path];
  return id ? [{ rel: "expect", href: `#${id}`, blocking: "render" as const }] : [];
}

const HERO_IDS: Readonly<Record<string, string>> = {
  "/": "hero",
  [COACHING_PATH]: "coaching-hero",
};

function createPropertyMeta(name: string, content: string | null | undefined) {
  return content && { property: name, content };
}

function createNamedMeta(name: string, content: string | null | undefined) {
  return content && { name, content };
}

/** Returns one object of structured data as it is, or several as a graph. */
function createGraph([first, ...others]: readonly [
  StructuredData,
  ...StructuredData[],
]): StructuredData {
  return others.length > 0 ? { "@graph": [first, ...others] } : first;
}

type ToAbsoluteUrl = (url: string | null | undefined) => string | null | undefined;
type StructuredData = Record<string, unknown>;

/** The pages' structured data (schema.org), by path. */
const STRUCTURED_DATA_BY_PATH: Readonly<
  Record<
    string,
    (
      source: ContentSource,
      pageContext: PageContext,
      toAbsoluteUrl: ToAbsoluteUrl,
      metadata: PageMetadata,
    ) => Promise<readonly [StructuredData, ...StructuredData[]]>
  >
> = {
  "/": async (source, pageContext, toAbsoluteUrl) => [
    await createPerson(source, pageContext.site, toAbsoluteUrl),
    ...(await createVideoObjects(source, toAbsoluteUrl)),
    ...(await createEvents(source, pageContext, toAbsoluteUrl)),
  ],
  [COACHING_PATH]: async (source, { site }, toAbsoluteUrl, metadata) => [
    await createCoachingService(source, site, toAbsoluteUrl, metadata),
  ],
};

/** Returns the page's videos, or none if no public address is configured. */
async function createVideoObjects(
  source: ContentSource,
  toAbsoluteUrl: ToAbsoluteUrl,
): Promise<StructuredData[]> {
  if (!toAbsoluteUrl("/")) return [];
  return (await source.read("videos")).flatMap(({ title, url, poster, addedAt, length }) => {
    const video = parseVideo(url);
    if (!video) return [];
    return {
      "@type": "VideoObject",
      name: title,
      ...createOptionalProperty("thumbnailUrl", toAbsoluteUrl(poster)),
      uploadDate: addedAt,
      embedUrl: video.frameUrl.replace(/autoplay=1&?/, "").replace(/\?$/, ""),
      ...createOptionalProperty("duration", length && formatIsoDuration(length)),
    };
  });
}

/** The maximum number of upcoming dates in the structured data. */
const MAX_LISTED_EVENTS = 20;

const EVENT_STATUS_BY_STATE = {
  on: "EventScheduled",
  postponed: "EventPostponed",
  cancelled: "EventCancelled",
} as const;

const AVAILABILITY_BY_STATE = {
  sale: "InStock",
  few: "LimitedAvailability",
  out: "SoldOut",
  free: "InStock",
} as const;

/** Returns upcoming dates on a site with a public address. Dates without a place are left out: Google refuses them. */
async function createEvents(
  source: ContentSource,
  { site, zone, pastEventIds = [] }: PageContext,
  toAbsoluteUrl: ToAbsoluteUrl,
): Promise<StructuredData[]> {
  if (!toAbsoluteUrl("/")) return [];
  const events = await source.read("events");
  const upcoming = events.filter(
    (event) => event.kind !== "screen" && !pastEventIds.includes(event.id) && hasLocation(event),
  );
  return upcoming.slice(0, MAX_LISTED_EVENTS).map((event) => {
    const { title, kind, startsAt, endsAt, allDay, status, tickets, image } = event;
    const eventZone = event.timeZone || zone;
    const startDate = allDay ? startsAt.slice(0, 10) : formatWithOffset(startsAt, eventZone);
    const endDate = allDay
      ? endsAt?.slice(0, 10)
      : endsAt && formatInstantWithOffset(computeEventEnd(event, zone), eventZone);
    const url = toAbsoluteUrl(toSafeUrl(event.ticketUrl));
    const mode = kind === "online" ? "OnlineEventAttendanceMode" : "OfflineEventAttendanceMode";
    return {
      "@type": "Event",
      name: title,
      startDate,
      ...createOptionalProperty("endDate", endDate),
      eventStatus: `https://schema.org/${EVENT_STATUS_BY_STATE[status]}`,
      eventAttendanceMode: `https://schema.org/${mode}`,
      location:
        kind === "online"
          ? { "@type": "VirtualLocation", url: url ?? toAbsoluteUrl("/") }
          : createLocation(event),
      ...createOptionalProperty("image", toAbsoluteUrl(image)),
      ...(url && {
        offers: {
          "@type": "Offer",
          url,
          availability: `https://schema.org/${AVAILABILITY_BY_STATE[tickets]}`,
        },
      }),
      performer: { "@type": "Person", name: site.name },
    };
  });
}

const hasLocation = ({ kind, venue, city, address, country }: Item<"events">) =>
  kind === "online" || Boolean(venue ?? city ?? address ?? country);

function createLocation({ venue, city, address, country }: Item<"events">): StructuredData {
  const parts = {
    ...createOptionalProperty("streetAddress", address),
    ...createOptionalProperty("addressLocality", city),
    ...createOptionalProperty("addressCountry", country),
  };
  return {
    "@type": "Place",
    ...createOptionalProperty("name", venue ?? city),
    address: Object.keys(parts).length > 0 ? { "@type": "PostalAddress", ...parts } : venue,
  };
}

/** Returns a duration in ISO 8601: 2:10 becomes PT2M10S. */
function formatIsoDuration(length: string): string {
  const parts = length.split(":").map(Number);
  return `PT${parts.map((part, index) => part + "HMS".charAt(index + 3 - parts.length)).join("")}`;
}

async function createPerson(
  source: ContentSource,
  site: PageContext["site"],
  toAbsoluteUrl: ToAbsoluteUrl,
): Promise<StructuredData> {
  const [hero, about, links] = await Promise.all([
    source.read("hero"),
    source.read("about"),
    source.read("connectLinks"),
  ]);
  const profileUrls = links
    .map(({ url }) => toSafeUrl(url))
    .filter((url) => url?.startsWith("http"));
  return {
    "@type": "Person",
    name: site.name,
    jobTitle: splitTagline(hero.tagline),
    ...createOptionalProperty("url", toAbsoluteUrl("/")),
    ...createOptionalProperty("image", toAbsoluteUrl(about.image ?? hero.backgroundImage)),
    ...(profileUrls.length > 0 ? { sameAs: profileUrls } : {}),
  };
}

async function createCoachingService(
  source: ContentSource,
  site: PageContext["site"],
  toAbsoluteUrl: ToAbsoluteUrl,
  metadata: PageMetadata,
): Promise<StructuredData> {
  const hero = await source.read("coachingHero");
  const { mainTitle, subtitle } = applyCoachingDefaults(
    hero,
    createCoachingHeroDefaults(getWords(site.language).words),
  );
  return {
    "@type": "ProfessionalService",
    name: `${site.name} – ${mainTitle} ${subtitle}`,
    description: metadata.description,
    ...createOptionalProperty("url", toAbsoluteUrl(COACHING_PATH)),
    ...createOptionalProperty("email", site.contactEmail),
    ...createOptionalProperty("image", toAbsoluteUrl(metadata.picture ?? hero.backgroundImage)),
    ...(await createOffers(source, toAbsoluteUrl)),
    founder: await createPerson(source, site, toAbsoluteUrl),
  };
}

/** Returns the packages if they are on the coaching page. Prices are left out, since they are free text. */
async function createOffers(
  source: ContentSource,
  toAbsoluteUrl: ToAbsoluteUrl,
): Promise<StructuredData> {
  const [packages, settings] = await Promise.all([
    source.read("packages"),
    source.read("packageSettings"),
  ]);
  if (packages.length === 0 || !isOnPage("coaching", settings)) return {};
  const makesOffer = packages.map(({ id, title, description, buttonLink }) => ({
    "@type": "Offer",
    name: title,
    ...createOptionalProperty("description", description),
    ...createOptionalProperty(
      "url",
      toAbsoluteUrl(toSafeUrl(buttonLink) ?? `${COACHING_PATH}#${createPackageAnchor(id)}`),
    ),
  }));
  return { makesOffer };
}

function createOptionalProperty(name: string, value: string | null | undefined): StructuredData {
  return value ? { [name]: value } : {};
}
