/**
 * The public sections for the dashboard's previews, loaded when a preview is shown. They need the router around them
 * and an element of class `page` with `createThemeProperties(styles)`, in a shadow root with the site's styles. This
 * element's width decides the layout, and its `--screen` the height of full-screen sections (default: 100svh).
 */
import type { ComponentType } from "react";
import type { EntityKey, SingletonKey } from "../../schema/index.ts";
import type { LoadedPage } from "../shared/content.ts";

export interface PreviewedPage extends LoadedPage {
  /** The step of the enquiry form, counted from 0. */
  readonly step?: number | undefined;
}

type LoadPreview = () => Promise<ComponentType<PreviewedPage>>;

/** Previews that aren't sections of the home page. The hero is here so that it loads without the other sections. */
const previewLoaders = {
  hero: async () => (await import("../site/sections/Hero.tsx")).Hero,
  statistics: async () => (await import("../site/sections/About.tsx")).StatisticsPreview,
  coachingHero: async () => (await import("../site/sections/CoachingHero.tsx")).CoachingHero,
  transformations: async () =>
    (await import("../site/sections/Transformations.tsx")).Transformations,
  enquiry: async () => (await import("../site/enquiry/EnquiryPreview.tsx")).EnquiryPreview,
} satisfies Record<string, LoadPreview>;

/** Identifies a section with a preview. A section of the home page is identified by an entity that it reads. */
export type PreviewName = keyof typeof previewLoaders | EntityKey;

/** Loads the component that previews a section. Rejects if it can't be loaded. */
export async function loadPreview(name: PreviewName): Promise<ComponentType<PreviewedPage>> {
  const load = (previewLoaders as Record<string, LoadPreview>)[name];
  if (load) return load();
  const { HOME_SECTIONS } = await import("../site/sections/index.ts");
  const section = HOME_SECTIONS.find(({ entityKeys }) => entityKeys.includes(name as EntityKey));
  if (!section) throw new Error(`No section of the home page reads "${name}".`);
  return section.Component;
}

/** Whether a section has a preview. Returns false for a home section until `arrange` is loaded. */
export const hasPreview = (name: PreviewName, arrange: ArrangeSections | undefined): boolean =>
  name in previewLoaders ||
  !!arrange?.([]).some(({ entityKeys }) => entityKeys.includes(name as EntityKey));

export interface HomeSection {
  readonly name: string;
  readonly preview: PreviewName;
  /** The label of the section's button in the bar; undefined without a button. */
  readonly button: string | undefined;
  readonly entityKeys: readonly [EntityKey, ...EntityKey[]];
  /** The settings whose `place` determines whether the section is on the home page. */
  readonly placementKey: SingletonKey | undefined;
}

/** Returns the sections below the hero in the given order, including hidden sections. `[]` is the default order. */
export type ArrangeSections = (sectionOrder: readonly string[]) => readonly HomeSection[];

/** Loads the function that arranges home sections, with those of the active `extras`. Rejects if it can't be loaded. */
export async function loadArrangement(extras: readonly string[]): Promise<ArrangeSections> {
  const { arrangeSections: arrangeHomeSections, getSectionName } =
    await import("../site/sections/index.ts");
  return (sectionOrder) =>
    arrangeHomeSections({ sectionOrder })
      .slice(1)
      .filter(({ extra }) => extra === undefined || extras.includes(extra))
      .map((section) => ({
        name: getSectionName(section),
        preview: section.entityKeys[0],
        button: section.button?.label,
        entityKeys: section.entityKeys,
        placementKey: section.placementKey,
      }));
}
