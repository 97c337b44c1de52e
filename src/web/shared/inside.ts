/** What the dashboard reads first, for the program that asks ahead of its code (inline/owner.ts). */

/** Where a browser keeps that somebody who may edit the site has been in the dashboard with it. */
export const INSIDE = "limelight.inside";

export const READ_FIRST = {
  always: ["/api/auth/me", "/api/welcome"],
  firstTab: ["/api/hero", "/api/styles"],
} as const;

/** Notes it, or that nobody is there any more. */
export function noteInside(isInside: boolean): void {
  try {
    if (isInside) localStorage.setItem(INSIDE, "1");
    else localStorage.removeItem(INSIDE);
  } catch {
    // A browser that keeps nothing asks later.
  }
}
