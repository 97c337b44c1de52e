/**
 * The dashboard's first requests, for the script that sends them before its code is loaded
 * (inline/preloadDashboard.ts).
 */

/** The local storage key that marks a browser as logged in to the dashboard before. */
export const LOGGED_IN_KEY = "limelight.inside";

export const PRELOADED_PATHS = {
  always: ["/api/auth/me", "/api/welcome"],
  firstTab: ["/api/hero", "/api/styles"],
} as const;

/** Sets or removes the mark. */
export function setLoggedInMark(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) localStorage.setItem(LOGGED_IN_KEY, "1");
    else localStorage.removeItem(LOGGED_IN_KEY);
  } catch {
    // Without storage, the requests are sent later.
  }
}
