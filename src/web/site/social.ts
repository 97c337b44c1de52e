/** Metadata for search engines and shared links: URLs, cards, structured data. Server only. */
import { withCoachingDefaults } from "../../schema/sections/coachingDefaults.ts";
import { DRAWN_PICTURES, DRAWN_SIZE } from "../../schema/looks/drawnPictures.ts";
import { COACHING_PATH } from "../../schema/sections/pagePaths.ts";
import { safeUrl } from "../../schema/core/safeUrl.ts";
import { withOffset } from "../../schema/sections/eventTimes.ts";
import type { Item } from "../../schema/index.ts";
import { isOnPage } from "../../schema/sections/sectionPlace.ts";
import { taglineParts } from "../../schema/sections/tagline.ts";
import { parseVideo } from "../../schema/sections/videoAddress.ts";
import type { ContentSource } from "../shared/content.ts";
import type { Shell } from "../shared/shell.ts";
import { wordsFor } from "../words/all.ts";
import { coachingTexts } from "../shared/headings.ts";
import { headOf, type PageMetadata } from "./head.ts";
import { packageAnchor } from "./parts/aboutPlace.ts";
import { type Head, NOINDEX } from "./unlistedHead.ts";

/**
 * Makes the whole head of public pages. Without a public address, what needs it is omitted, since a request's Host
 * isn't trusted. `drawnFrom` identifies what the shared pictures are drawn from.
 */
export function socialHeads(
  source: ContentSource,
  shell: Shell,
  drawnFrom: string,
): (path: string, metadata: PageMetadata) => Promise<Head> {
  const { site, address } = shell;
  return async (path, metadata) => {
    const pictures = await source.pictures();
    const absolute: Absolute = (pictureUrl) => {
      const url = pictures[pictureUrl ?? ""]?.at ?? pictureUrl;
      return url?.startsWith("/") ? address && `${address}${url}` : url;
    };
    const url = absolute(path);
    const drawn = DRAWN_PICTURES[path === COACHING_PATH ? path : "/"];
    const picture = absolute(metadata.picture ?? `${drawn}?v=${drawnFrom}`);
    const isDrawn = picture && !metadata.picture;
    const data = await DATA[path]?.(source, shell, absolute, metadata);
    const { meta } = headOf(metadata);
    const tags = [
      shell.isUnlisted && NOINDEX,
      property("og:type", path === "/" ? "profile" : "website"),
      property("og:site_name", site.name),
      property("og:description", metadata.description),
      property("og:url", url),
      property("og:image", picture),
      isDrawn && property("og:image:width", String(DRAWN_SIZE.width)),
      isDrawn && property("og:image:height", String(DRAWN_SIZE.height)),
      named("twitter:card", "summary_large_image"),
      named("twitter:title", metadata.title),
      named("twitter:description", metadata.description),
      named("twitter:image", picture),
      data && { "script:ld+json": { "@context": "https://schema.org", ...graphOf(data) } },
    ];
    return {
      meta: [...meta, ...tags.filter((tag) => !!tag)],
      links: url ? [{ rel: "canonical", href: url }] : [],
    };
  };
}

function property(name: string, content: string | null | undefined) {
  return content && { property: name, content };
}

function named(name: string, content: string | null | undefined) {
  return content && { name, content };
}

/** A single object, or several as a graph. */
function graphOf([first, ...others]: readonly [Data, ...Data[]]): Data {
  return others.length > 0 ? { "@graph": [first, ...others] } : first;
}

type Absolute = (url: string | null | undefined) => string | null | undefined;
type Data = Record<string, unknown>;

/** The pages' structured data (schema.org), by path. */
const DATA: Readonly<
  Record<
    string,
    (
      source: ContentSource,
      shell: Shell,
      absolute: Absolute,
      metadata: PageMetadata,
    ) => Promise<readonly [Data, ...Data[]]>
  >
> = {
  "/": async (source, shell, absolute) => [
    await person(source, shell.site, absolute),
    ...(await videoObjects(source, absolute)),
    ...(await eventsOf(source, shell, absolute)),
  ],
  [COACHING_PATH]: async (source, { site }, absolute, metadata) => [
    await coachingService(source, site, absolute, metadata),
  ],
};

/** The page's videos, if the public address is configured. */
async function videoObjects(source: ContentSource, absolute: Absolute): Promise<Data[]> {
  if (!absolute("/")) return [];
  return (await source.read("videos")).flatMap(({ title, url, poster, addedAt, length }) => {
    const video = parseVideo(url);
    if (!video) return [];
    return {
      "@type": "VideoObject",
      name: title,
      ...optional("thumbnailUrl", absolute(poster)),
      uploadDate: addedAt,
      embedUrl: video.frame.replace(/autoplay=1&?/, "").replace(/\?$/, ""),
      ...optional("duration", length && durationOf(length)),
    };
  });
}

/** The number of upcoming dates for search engines. */
const EVENTS = 20;

const STATUSES = {
  on: "EventScheduled",
  postponed: "EventPostponed",
  cancelled: "EventCancelled",
} as const;

const AVAILABILITY = {
  sale: "InStock",
  few: "LimitedAvailability",
  out: "SoldOut",
  free: "InStock",
} as const;

/** Upcoming dates open to visitors, if the public address is configured. */
async function eventsOf(
  source: ContentSource,
  { site, zone, over = [] }: Shell,
  absolute: Absolute,
): Promise<Data[]> {
  if (!absolute("/")) return [];
  const events = await source.read("events");
  const next = events.filter(({ id, kind }) => kind !== "screen" && !over.includes(id));
  return next.slice(0, EVENTS).map((event) => {
    const { title, kind, startsAt, endsAt, allDay, status, tickets, image } = event;
    const at = (wall: string) =>
      allDay ? wall.slice(0, 10) : withOffset(wall, event.timeZone || zone);
    const url = safeUrl(event.ticketUrl);
    const mode = kind === "online" ? "OnlineEventAttendanceMode" : "OfflineEventAttendanceMode";
    return {
      "@type": "Event",
      name: title,
      startDate: at(startsAt),
      ...optional("endDate", endsAt && at(endsAt)),
      eventStatus: `https://schema.org/${STATUSES[status]}`,
      eventAttendanceMode: `https://schema.org/${mode}`,
      location: kind === "online" ? virtual(url) : locationData(event),
      ...optional("image", absolute(image)),
      ...(url && {
        offers: {
          "@type": "Offer",
          url,
          availability: `https://schema.org/${AVAILABILITY[tickets]}`,
        },
      }),
      performer: { "@type": "Person", name: site.name },
    };
  });
}

const virtual = (url: string | undefined): Data => ({
  "@type": "VirtualLocation",
  ...optional("url", url),
});

function locationData({ venue, city, address, country }: Item<"events">): Data {
  return {
    "@type": "Place",
    ...optional("name", venue ?? city),
    address: {
      "@type": "PostalAddress",
      ...optional("streetAddress", address),
      ...optional("addressLocality", city),
      ...optional("addressCountry", country),
    },
  };
}

/** In ISO 8601: 2:10 is PT2M10S. */
function durationOf(length: string): string {
  const parts = length.split(":").map(Number);
  return `PT${parts.map((part, at) => part + "HMS".charAt(at + 3 - parts.length)).join("")}`;
}

/** The performer, with links to other profiles. */
async function person(
  source: ContentSource,
  site: Shell["site"],
  absolute: Absolute,
): Promise<Data> {
  const [hero, about, links] = await Promise.all([
    source.read("hero"),
    source.read("about"),
    source.read("connectLinks"),
  ]);
  const elsewhere = links.map(({ url }) => safeUrl(url)).filter((url) => url?.startsWith("http"));
  return {
    "@type": "Person",
    name: site.name,
    jobTitle: taglineParts(hero.tagline),
    ...optional("url", absolute("/")),
    ...optional("image", absolute(about.image ?? hero.backgroundImage)),
    ...(elsewhere.length > 0 ? { sameAs: elsewhere } : {}),
  };
}

async function coachingService(
  source: ContentSource,
  site: Shell["site"],
  absolute: Absolute,
  metadata: PageMetadata,
): Promise<Data> {
  const hero = await source.read("coachingHero");
  const { mainTitle, subtitle } = withCoachingDefaults(
    hero,
    coachingTexts(wordsFor(site.language).words),
  );
  return {
    "@type": "ProfessionalService",
    name: `${site.name} – ${mainTitle} ${subtitle}`,
    description: metadata.description,
    ...optional("url", absolute(COACHING_PATH)),
    ...optional("email", site.contactEmail),
    ...optional("image", absolute(metadata.picture ?? hero.backgroundImage)),
    ...(await offersOf(source, absolute)),
    founder: await person(source, site, absolute),
  };
}

/** Packages, if they are on the coaching page. Without prices, which are free text. */
async function offersOf(source: ContentSource, absolute: Absolute): Promise<Data> {
  const [packages, settings] = await Promise.all([
    source.read("packages"),
    source.read("packageSettings"),
  ]);
  if (packages.length === 0 || !isOnPage("coaching", settings)) return {};
  const makesOffer = packages.map(({ id, title, description, buttonLink }) => ({
    "@type": "Offer",
    name: title,
    ...optional("description", description),
    ...optional("url", absolute(safeUrl(buttonLink) ?? `${COACHING_PATH}#${packageAnchor(id)}`)),
  }));
  return { makesOffer };
}

function optional(name: string, value: string | null | undefined): Data {
  return value ? { [name]: value } : {};
}
