/** The dashboard's first requests, for the script that sends them before its code is loaded (inline/owner.ts). */

/** The local storage key that marks a browser as logged in to the dashboard before. */
export const INSIDE = "limelight.inside";

export const READ_FIRST = {
  always: ["/api/auth/me", "/api/welcome"],
  firstTab: ["/api/hero", "/api/styles"],
} as const;

/** Sets or removes it. */
export function noteInside(isInside: boolean): void {
  try {
    if (isInside) localStorage.setItem(INSIDE, "1");
    else localStorage.removeItem(INSIDE);
  } catch {
    // Without storage, the requests are sent later.
  }
}
