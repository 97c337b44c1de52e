/** Times in words: "Today, 09:14", "18 Nov, 11:02", "18 Nov 2024, 11:02". */

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const FULL_DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** An ISO time, in the browser's time zone. */
export function when(iso: string, now = new Date()): string {
  const moment = new Date(iso);
  return `${dayWords(moment, now)}, ${TIME.format(moment)}`;
}

/** "Today", "18 Nov": the day of an ISO time, in the browser's time zone. */
export const dayOf = (iso: string) => dayWords(new Date(iso), new Date());

/** "09:14" */
export const timeOf = (iso: string) => TIME.format(new Date(iso));

/** Like `when`, within a sentence: "today, 09:14". */
export function whenInside(iso: string): string {
  const words = when(iso);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function dayWords(moment: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (moment.toDateString() === now.toDateString()) return "Today";
  if (moment.toDateString() === yesterday.toDateString()) return "Yesterday";
  return moment.getFullYear() === now.getFullYear() ? DAY.format(moment) : FULL_DAY.format(moment);
}
