/** The one function that turns the owner's styles into CSS custom properties, pages and previews alike. */
import { readableOn } from "../schema/contrast.ts";
import { fallbackFamily } from "../schema/fonts.ts";
import type { Content } from "../schema/index.ts";

const HEADING_SCALE = { small: "0.75", medium: "0.875", large: "1", xlarge: "1.2" } as const;
const BODY_SIZE = { small: "0.9375rem", medium: "1.0625rem", large: "1.1875rem" } as const;

const SERIFS = new Set(["Playfair Display", "Merriweather", "Lora"]);

/** A family, its metric-compatible fallback, and what every machine has. */
function fontStack(family: string): string {
  const generic = SERIFS.has(family) ? "serif" : "sans-serif";
  return `"${family}", "${fallbackFamily(family)}", ${generic}`;
}

/** The custom properties of a theme by name; Pico's are set from them in site.css. */
export function themeProperties(styles: Content<"styles">): Record<string, string> {
  return {
    "--heading-font": fontStack(styles.headingFont),
    "--body-font": fontStack(styles.bodyFont),
    "--primary": styles.primaryColor,
    "--on-primary": readableOn(styles.primaryColor),
    "--background": styles.backgroundColor,
    "--text": styles.textColor,
    "--accent": styles.accentColor,
    "--radius": styles.borderRadius,
    "--heading-scale": HEADING_SCALE[styles.headingSize],
    "--body-size": BODY_SIZE[styles.bodySize],
    "--hero-background": styles.heroBackgroundColor,
    "--about-background": styles.aboutBackgroundColor,
    "--section-background": styles.sectionBackgroundColor,
  };
}

/** The theme as a style sheet for the whole page. Values were checked when they were stored. */
export function themeCss(styles: Content<"styles">): string {
  const lines = Object.entries(themeProperties(styles)).map(([name, value]) => `${name}:${value}`);
  return `:root{${lines.join(";")}}`;
}
