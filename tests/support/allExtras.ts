/** Every extra that an owner can add, with content. */
import { EXTRA_MODULES } from "../../src/schema/sections/extras.ts";
import type { ProgramSite } from "./program.ts";

/** Keys of the extras that have a page or a section. */
export const EXTRA_KEYS = Object.keys(EXTRA_MODULES);

const DAY = 86_400_000;
const toWallTime = (days: number) =>
  `${new Date(Date.now() + days * DAY).toISOString().slice(0, 10)}T20:00`;

/**
 * Adds all extras to the sample site: fourteen dates, nine testimonials and three packages on both pages, four videos,
 * a before-and-after pair, and the announcement.
 */
export async function addAllExtras(site: Pick<ProgramSite, "asOwner">): Promise<void> {
  const add = (list: string, item: object) => site.asOwner("POST", `/api/${list}`, item);
  const uploads: { url: string }[] = await site.asOwner("GET", "/api/uploads");
  const pictures = uploads.map(({ url }) => url);
  await add("extras", { on: EXTRA_KEYS });
  await add("testimonial-settings", { place: "both" });
  await add("package-settings", { place: "both", smallPrint: "Prices include VAT." });
  await add("announcement", {
    text: "The final is on Sunday at nine",
    link: "https://final.example",
  });
  for (const [at, date] of DATES.entries())
    await add("events", {
      ticketUrl: `https://tickets.example/${at}`,
      startsAt: toWallTime(7 * at + 3),
      ...date,
      ...(at === 2 && { endsAt: toWallTime(7 * at + 6), allDay: true }),
    });
  for (const [at, testimonial] of TESTIMONIALS.entries())
    await add("testimonials", {
      ...testimonial,
      portrait: at % 2 === 0 ? pictures[at % pictures.length] : null,
    });
  for (const each of PACKAGES) await add("packages", each);
  for (const [at, url] of VIDEOS.entries())
    await add("videos", {
      title: ["Two minutes of everything", "The interval", "At the harbour", "An encore"][at],
      url,
      poster: pictures[at % pictures.length],
      length: "2:10",
      captioned: at < 2,
    });
  const [first, second]: { id: string; imageUrl: string }[] = await site.asOwner(
    "GET",
    "/api/transformations",
  );
  if (first && second)
    await site.asOwner("PUT", `/api/transformations/${first.id}`, {
      beforeUrl: second.imageUrl,
      consent: "Mia agreed by email on 3 May.",
    });
}

const DATES: readonly object[] = [
  {
    title: "Live at the Palladium",
    venue: "Palladium",
    city: "London",
    note: "With special guests",
  },
  { title: "The Velvet Hour", venue: "Palace Theatre", city: "Manchester", tickets: "few" },
  { title: "Harbour Fest", venue: "Pier 4", city: "Hamburg", timeZone: "Europe/Berlin" },
  { title: "An open rehearsal", venue: "Studio 2", city: "London", tickets: "free" },
  { title: "Late Night", kind: "screen", venue: "Harbour TV" },
  { title: "Breathing for the stage", kind: "online", tickets: "sale" },
  { title: "Sold out in a day", venue: "Old Vic", city: "London", tickets: "out" },
  {
    title: "The one that was called off",
    venue: "Corn Exchange",
    city: "Leeds",
    status: "cancelled",
  },
  { title: "Later than planned", venue: "Apollo", city: "Glasgow", status: "postponed" },
  { title: "On Broadway", venue: "Lyric", city: "New York", timeZone: "America/New_York" },
  ...["Bath", "Bristol", "Cardiff", "Dublin"].map((city) => ({
    title: `On tour in ${city}`,
    city,
  })),
];

const TESTIMONIALS: readonly { words: string; name: string; role?: string; link?: string }[] = [
  { words: "He said one sentence that I still say to myself.", name: "Mia Okafor" },
  ...[
    "Tom Barker",
    "Denise Barker",
    "Aoife Brennan",
    "Yasmin Haddad",
    "Jo Lind",
    "Kirsty MacRae",
    "Lars Holm",
    "Ana Silva",
  ].map((name, at) => ({
    words: "I came for the stage fright and stayed for the laughing. ".repeat((at % 4) + 1).trim(),
    name,
    role: "Lost 25 pounds in a year",
    ...(at % 3 === 0 && { link: "https://voices.example/1" }),
  })),
];

const PACKAGES: readonly object[] = [
  {
    title: "One session",
    price: "£90",
    description: "An hour, in person or online.",
    points: "A plan\nNotes afterwards",
  },
  {
    title: "Ten weeks",
    price: "£650",
    per: "10 sessions",
    description: "For whoever has a date on the calendar.",
    points: "A session a week\nMessages in between\nA rehearsal on a real stage",
    featured: true,
    buttonText: "Book",
  },
  {
    title: "For companies",
    price: "On request",
    points: "A day for up to twelve",
    buttonLink: "https://book.example",
  },
];

const VIDEOS = ["dQw4w9WgXcQ", "dQw4w9WgXcR", "dQw4w9WgXcS"]
  .map((id) => `https://www.youtube.com/watch?v=${id}`)
  .concat("https://vimeo.com/76979871");
