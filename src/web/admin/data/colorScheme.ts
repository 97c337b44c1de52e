/** The color scheme, light or dark: the system's scheme, or the user's choice on this device. */

export type Scheme = "system" | "light" | "dark";

const SCHEME_STORAGE_KEY = "limelight.scheme";

export function readChosenScheme(): Scheme {
  try {
    const storedScheme = localStorage.getItem(SCHEME_STORAGE_KEY);
    return storedScheme === "light" || storedScheme === "dark" ? storedScheme : "system";
  } catch {
    return "system";
  }
}

export function chooseScheme(scheme: Scheme): void {
  try {
    localStorage.setItem(SCHEME_STORAGE_KEY, scheme);
  } catch {
    // Without storage, the choice is lost after this visit.
  }
  applyScheme(scheme);
}

/** Applies the chosen scheme now and after each change of the system's scheme. Returns a function that stops this. */
export function startSchemeSync(): () => void {
  applyChosenScheme();
  const systemPreference = matchMedia("(prefers-color-scheme: dark)");
  systemPreference.addEventListener("change", applyChosenScheme);
  return () => systemPreference.removeEventListener("change", applyChosenScheme);
}

const applyChosenScheme = () => applyScheme(readChosenScheme());

/** Sets the attribute that tokens.css uses, and the meta element whose color browsers use for their toolbar. */
function applyScheme(scheme: Scheme): void {
  const root = document.documentElement;
  root.dataset["scheme"] = scheme;
  const pageColor = getComputedStyle(root).getPropertyValue("--page");
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", pageColor.trim());
}
