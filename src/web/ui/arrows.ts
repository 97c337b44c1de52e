/** What the arrows of carousel and large picture lead to and are drawn as, on a square of 16. */
export const ARROWS = [
  { to: "previous", path: "m10 3-5 5 5 5" },
  { to: "next", path: "m6 3 5 5-5 5" },
] as const;
