/** What the dashboard reads first, for the program that asks ahead of its code (inline/owner.ts). */

/** Where a browser keeps that somebody is in the dashboard with it: "1" who may edit the site, "0" who may not. */
export const INSIDE = "limelight.inside";

export const READ_FIRST = {
  always: ["/api/auth/me", "/api/welcome"],
  firstTab: ["/api/hero", "/api/styles"],
} as const;

/** Notes it, or that nobody is there any more (null). */
export function noteInside(mayEdit: boolean | null): void {
  try {
    if (mayEdit === null) localStorage.removeItem(INSIDE);
    else localStorage.setItem(INSIDE, mayEdit ? "1" : "0");
  } catch {
    // A browser that keeps nothing asks later.
  }
}

/** Whether somebody may be logged in with this browser; one that keeps nothing can't know. */
export function mayBeInside(): boolean {
  try {
    return localStorage.getItem(INSIDE) !== null;
  } catch {
    return true;
  }
}
