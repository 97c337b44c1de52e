// A dozen people on the sample mailing list, spread over the month before the demo is run.

import { someTimeBefore } from "./someTimeBefore.ts";

/** Subscriptions (spec §3, EmailSubscription) dated within the 30 days before `now`, newest first. */
export function sampleSubscriptions(now: Date) {
  return people.map(([email, name, daysAgo, status], place) => ({
    email,
    ...(name === "" ? {} : { name }),
    status,
    source: place % 4 === 3 ? "coaching" : "website",
    subscribedAt: someTimeBefore(now, daysAgo).toISOString(),
    ipAddress: `192.0.2.${20 + place * 7}`,
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15",
  }));
}

const people: [email: string, name: string, daysAgo: number, status: string][] = [
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
