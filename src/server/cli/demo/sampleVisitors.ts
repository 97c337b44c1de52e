/** Whom the sample site has heard from: the enquiries and the subscriptions of a busy month. */
import type { Item } from "../../../schema/index.ts";
import { NEVER_WRITTEN_TO } from "../../../schema/visitors.ts";
import { DAY } from "../../shared/time.ts";

type Answers = Record<string, string | string[]>;

/**
 * Enquiries dated within the 30 days before `now`, newest first. `answers` maps a field's `key` in
 * sampleEnquiryForm to the answer (a list for checkboxes); the demo turns keys into field ids.
 */
export function sampleSubmissions(now: Date) {
  return enquiries.map(([daysAgo, status, answers], at) => ({
    status,
    createdAt: daysBefore(now, daysAgo).toISOString(),
    answers,
    ipAddress: `198.51.100.${11 + at * 9}`,
    userAgent: "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/149.0 Mobile",
  }));
}

type Status = Item<"formSubmissions">["status"];

const enquiries: [daysAgo: number, status: Status, answers: Answers][] = [
  [
    0.1,
    "new",
    {
      name: "Priya Raman",
      email: "priya.raman@example.com",
      phone: "+447700900112",
      country: "United Kingdom",
      goal: "Training for an event",
      change: "I said yes to a charity abseil in front of my whole office. I’d like arms by then.",
      activity: "A walk now and then",
      sessions: "2",
      times: ["Early mornings", "Weekends"],
      place: "In Manchester",
      note: "I can’t do Wednesdays, my daughter has swimming.",
    },
  ],
  [
    0.6,
    "new",
    {
      name: "Tom",
      email: "tom.whitlock@example.org",
      country: "United Kingdom",
      goal: "Getting started again",
      change: "Carry my boy up to bed without needing a sit down.",
      activity: "Hardly at all",
      sessions: "2",
      times: ["Evenings"],
      place: "Online",
    },
  ],
  [
    1.3,
    "new",
    {
      name: "Aoife Brennan",
      email: "aoife.b@example.com",
      phone: "+353209170123",
      country: "Ireland",
      goal: "Stage and camera confidence",
      change: "I have my first speaking part in February and my hands don’t know what to do.",
      activity: "Once or twice a week",
      sessions: "1",
      times: ["Lunchtimes", "Evenings"],
      place: "Online",
      note: "Saw you in Dublin. You waved at my mum, she has not stopped.",
    },
  ],
  [
    2.4,
    "new",
    {
      name: "Graham Pike",
      email: "gpike@example.org",
      phone: "+447700900145",
      country: "United Kingdom",
      goal: "Losing weight",
      change: "The doctor used the word “borderline”. I would like her to stop using it.",
      activity: "Hardly at all",
      sessions: "3",
      times: ["Early mornings"],
      place: "A bit of both",
      note: "Left knee clicks but doesn’t hurt.",
    },
  ],
  [
    3.8,
    "reviewed",
    {
      name: "Simone Achterberg",
      email: "simone@example.com",
      country: "Netherlands",
      goal: "Getting stronger",
      change: "One proper pull-up. Just the one. Then we can talk about two.",
      activity: "Most days",
      sessions: "4",
      times: ["Early mornings", "Lunchtimes"],
      place: "Online",
    },
  ],
  [
    5.2,
    "new",
    {
      name: "Dev",
      email: "dev.malhotra@example.org",
      phone: "+447700900163",
      country: "United Kingdom",
      goal: "Getting started again",
      change: "I’d like to stop dreading the stairs at Oxford Road station.",
      activity: "A walk now and then",
      sessions: "2",
      times: ["Lunchtimes"],
      place: "In Manchester",
    },
  ],
  [
    7.5,
    "reviewed",
    {
      name: "Kirsty MacRae",
      email: "kirsty.macrae@example.com",
      phone: "+447700900178",
      country: "United Kingdom",
      goal: "Training for an event",
      change: "Finish the Great Glen relay without walking my leg of it. Again.",
      activity: "Once or twice a week",
      sessions: "3",
      times: ["Evenings", "Weekends"],
      place: "Online",
      note: "I work nights one week in three, so it needs to bend a bit.",
    },
  ],
  [
    9.1,
    "reviewed",
    {
      name: "Marcus Bell",
      email: "m.bell@example.org",
      country: "United Kingdom",
      goal: "Getting stronger",
      change: "My brother-in-law bought a rowing machine and now talks about it. I want to win.",
      activity: "Once or twice a week",
      sessions: "3",
      times: ["Evenings"],
      place: "In Manchester",
    },
  ],
  [
    12.7,
    "reviewed",
    {
      name: "Yasmin",
      email: "yasmin.h@example.com",
      phone: "+447700900191",
      country: "United Kingdom",
      goal: "Stage and camera confidence",
      change: "Present my own work instead of hiding behind the slides.",
      activity: "Most days",
      sessions: "1",
      times: ["Evenings"],
      place: "A bit of both",
    },
  ],
  [
    15.4,
    "reviewed",
    {
      name: "Paul and Denise",
      email: "thebarkers@example.org",
      country: "United Kingdom",
      goal: "Getting started again",
      change: "We retire in May. We would like to be fit for the walking holiday we have booked.",
      activity: "A walk now and then",
      sessions: "2",
      times: ["Early mornings", "Lunchtimes"],
      place: "In Manchester",
      note: "Two for the price of one? Worth asking.",
    },
  ],
  [
    18.9,
    "new",
    {
      name: "Inês Duarte",
      email: "ines.duarte@example.org",
      country: "Portugal",
      goal: "Getting stronger",
      change: "Feel at home in the weights corner instead of walking past it.",
      activity: "Once or twice a week",
      sessions: "2",
      times: ["Lunchtimes", "Weekends"],
      place: "Online",
    },
  ],
  [
    21.3,
    "reviewed",
    {
      name: "Jordan",
      email: "jordan.k@example.com",
      phone: "+447700900134",
      country: "United Kingdom",
      goal: "Losing weight",
      change: "Fit the suit for my sister’s wedding. It is a very good suit.",
      activity: "Hardly at all",
      sessions: "3",
      times: ["Evenings", "Weekends"],
      place: "Online",
    },
  ],
  [
    25.8,
    "reviewed",
    {
      name: "Wale Adeyemi",
      email: "w.adeyemi@example.com",
      country: "United Kingdom",
      goal: "Training for an event",
      change: "White-collar boxing in the spring. I have agreed to it and cannot get out of it.",
      activity: "Most days",
      sessions: "4",
      times: ["Early mornings", "Evenings"],
      place: "In Manchester",
      note: "Wears glasses, cannot fight in glasses.",
    },
  ],
  [
    29.2,
    "reviewed",
    {
      name: "Ruth Ellery",
      email: "ruth.ellery@example.com",
      country: "United Kingdom",
      goal: "Getting started again",
      change: "I’m sixty-eight and I want to get up off the floor without the sofa’s help.",
      activity: "A walk now and then",
      sessions: "2",
      times: ["Lunchtimes"],
      place: "A bit of both",
    },
  ],
];

/** Subscriptions dated within the 30 days before `now`, newest first. */
export function sampleSubscriptions(now: Date) {
  return subscribers.map(([email, name, daysAgo, status], at) => ({
    email,
    name: name || null,
    status,
    source: at % 4 === 3 ? "coaching" : "website",
    subscribedAt: daysBefore(now, daysAgo).toISOString(),
    ipAddress: `192.0.2.${20 + at * 7}`,
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15",
    ...NEVER_WRITTEN_TO,
    written: [],
  }));
}

type SubscriptionStatus = Item<"emailSubscriptions">["status"];

const subscribers: [email: string, name: string, daysAgo: number, status: SubscriptionStatus][] = [
  ["priya.raman@example.com", "Priya", 0.2, "active"],
  ["dom@example.org", "Dominic", 0.9, "active"],
  ["hattie.lowe@example.com", "Hattie", 1.6, "active"],
  ["k.osei@example.org", "", 3.1, "pending"],
  ["marguerite@example.com", "Marguerite", 4.4, "active"],
  ["thebarkers@example.org", "Sue", 7.7, "active"],
  ["callum.reid@example.com", "Callum", 10.3, "unsubscribed"],
  ["ines.duarte@example.org", "Inês", 13.5, "active"],
  ["joan1957@example.com", "Joan", 17.2, "active"],
  ["w.adeyemi@example.com", "", 20.8, "active"],
  ["luca.f@example.org", "Luca", 24.6, "unsubscribed"],
  ["first.in.line@example.com", "Bethan", 29.3, "active"],
];

/** The moment so many days, fractions allowed, before `now`. */
function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * DAY));
}
