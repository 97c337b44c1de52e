/** The arrow icons of the carousel and the large picture, in a square of 16. */
export const ARROW_PATHS = [
  { to: "previous", path: "m10 3-5 5 5 5" },
  { to: "next", path: "m6 3 5 5-5 5" },
] as const;
