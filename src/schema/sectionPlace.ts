/** Where a section stands that may be on the home page, on the coaching page, or on both. */
import { choice } from "./fields.ts";

/** The pages that sections stand on. */
export type SectionPage = "home" | "coaching";

/** `fields: { …, place: sectionPlace() }` in the settings of the section. */
export const sectionPlace = () =>
  choice(
    "Where",
    [
      { value: "coaching", label: "Coaching page" },
      { value: "home", label: "Home page" },
      { value: "both", label: "Both" },
    ],
    "coaching",
  );

/** Whether a section with these settings stands on a page; as long as they aren't known it stands on none. */
export function standsOn(page: SectionPage, settings: object = {}): boolean {
  const { place }: { readonly place?: unknown } = settings;
  return place === page || place === "both";
}
