/** Light or dark mode: the system's, or the owner's choice on this device (account/AccountMenu.tsx). */

export type Scheme = "system" | "light" | "dark";

const SCHEME_STORAGE_KEY = "limelight.scheme";

export function readChosenScheme(): Scheme {
  try {
    const chosen = localStorage.getItem(SCHEME_STORAGE_KEY);
    return chosen === "light" || chosen === "dark" ? chosen : "system";
  } catch {
    return "system";
  }
}

/** Stored if possible; else it lasts until the page is left. */
export function chooseScheme(scheme: Scheme): void {
  try {
    localStorage.setItem(SCHEME_STORAGE_KEY, scheme);
  } catch {
    // The system's choice is used next time.
  }
  applyScheme(scheme);
}

/** Applies the choice, and follows the system from then on; returns a function that stops. */
export function followScheme(): () => void {
  applyChosenScheme();
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", applyChosenScheme);
  return () => system.removeEventListener("change", applyChosenScheme);
}

const applyChosenScheme = () => applyScheme(readChosenScheme());

/** tokens.css uses the attribute; the browser's toolbar takes the page's color. */
function applyScheme(scheme: Scheme): void {
  const root = document.documentElement;
  root.dataset["scheme"] = scheme;
  const page = getComputedStyle(root).getPropertyValue("--page");
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", page.trim());
}
