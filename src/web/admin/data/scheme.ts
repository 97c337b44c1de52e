/** Light or dark: as the system has it, or as the owner has chosen on this device (account/AccountMenu.tsx). */

export type Scheme = "system" | "light" | "dark";

const CHOSEN = "limelight.scheme";

export function chosenScheme(): Scheme {
  try {
    const chosen = localStorage.getItem(CHOSEN);
    return chosen === "light" || chosen === "dark" ? chosen : "system";
  } catch {
    return "system";
  }
}

/** Kept where the browser keeps things; else it lasts until the page is left. */
export function chooseScheme(scheme: Scheme): void {
  try {
    localStorage.setItem(CHOSEN, scheme);
  } catch {
    // Then it is the system's again the next time.
  }
  wear(scheme);
}

/** Puts on what was chosen, and follows the system from then on; returns how to stop. */
export function wearScheme(): () => void {
  wearChosen();
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", wearChosen);
  return () => system.removeEventListener("change", wearChosen);
}

const wearChosen = () => wear(chosenScheme());

/** tokens.css asks for the attribute; the browser's own bar takes the page's color. */
function wear(scheme: Scheme): void {
  const root = document.documentElement;
  root.dataset["scheme"] = scheme;
  const page = getComputedStyle(root).getPropertyValue("--page");
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", page.trim());
}
