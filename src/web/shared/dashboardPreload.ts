/** The dashboard's first requests. inline/preloadDashboard.ts sends them before the dashboard's code is loaded. */

/** The local storage key that is set if somebody was logged in when the dashboard was last open in this browser. */
export const LOGGED_IN_KEY = "limelight.inside";

export const PRELOADED_PATHS = {
  always: ["/api/auth/me", "/api/welcome"],
  firstTab: ["/api/hero", "/api/styles"],
} as const;

export function setLoggedInMark(isLoggedIn: boolean): void {
  try {
    if (isLoggedIn) localStorage.setItem(LOGGED_IN_KEY, "1");
    else localStorage.removeItem(LOGGED_IN_KEY);
  } catch {
    // Without local storage, the dashboard sends the requests later, when its code is loaded.
  }
}
