/** The page of a section that can be on the home page, the coaching page, or both. */
import { choice } from "../kinds/fields.ts";

export type SectionPage = "home" | "coaching";

/** Use in a section's settings: `fields: { …, place: sectionPlace() }`. */
export const sectionPlaceField = () =>
  choice(
    "Show on",
    [
      { value: "coaching", label: "Coaching page" },
      { value: "home", label: "Home page" },
      { value: "both", label: "Both pages" },
    ],
    "coaching",
  );

/** Whether a section with these settings is on a page; false while the settings are unknown. */
export function isOnPage(page: SectionPage, settings: object = {}): boolean {
  const { place }: { readonly place?: unknown } = settings;
  return place === page || place === "both";
}
