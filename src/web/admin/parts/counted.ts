/** "1 day", "7 days", "1,200 days": a number with a noun whose plural only adds an s. */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : `${one}s`}`;
