/** Tells which entities have a section of the same name to preview. */
import type { PreviewName } from "../../sectionPreviews.ts";

const NAMES: Readonly<Record<PreviewName, true>> = {
  hero: true,
  about: true,
  statistics: true,
  highlights: true,
  connect: true,
  press: true,
  coachingHero: true,
  transformations: true,
  enquiry: true,
};

/** True when `loadPreview(name)` has a section. */
export function isPreviewName(name: string): name is PreviewName {
  return name in NAMES;
}
