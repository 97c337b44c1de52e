/** What the arrows of carousel and large picture are called and drawn as, on a square of 16. */
export const ARROWS = [
  { name: "Previous", path: "m10 3-5 5 5 5" },
  { name: "Next", path: "m6 3 5 5-5 5" },
] as const;
