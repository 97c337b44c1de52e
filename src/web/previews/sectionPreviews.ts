/**
 * The public sections for the dashboard, which never imports the site: the same components that
 * visitors get, fetched when a preview is shown. They stand inside the router (they read the shell),
 * and inside an element of class `page` that carries `themeProperties(styles)` as its style and links
 * `shell.assets.siteStyles` in its shadow root. Its width decides the layout; `--screen` is the height
 * that full-screen sections take, 100svh unless set.
 */
import type { ComponentType } from "react";
import type { EntityKey, SingletonKey } from "../../schema/index.ts";
import type { LoadedPage } from "../shared/content.ts";

export interface PreviewedPage extends LoadedPage {
  /** The step of the enquiry form that is shown, counted from 0. */
  readonly step?: number | undefined;
}

type Load = () => Promise<ComponentType<PreviewedPage>>;

/** Those that stand on other pages, that are shown in part, or that are wanted before the rest. */
const previews = {
  hero: async () => (await import("../site/sections/Hero.tsx")).Hero,
  statistics: async () => (await import("../site/sections/About.tsx")).StatisticsAlone,
  coachingHero: async () => (await import("../site/sections/CoachingHero.tsx")).CoachingHero,
  transformations: async () =>
    (await import("../site/sections/Transformations.tsx")).Transformations,
  announcement: async () => (await import("../site/extras/Announcement.tsx")).AnnouncementPreview,
  enquiry: async () => (await import("../site/enquiry/EnquiryPreview.tsx")).EnquiryPreview,
} satisfies Record<string, Load>;

/** A section that can be previewed: by its name, or the home page's by an entity that it reads. */
export type PreviewName = keyof typeof previews | EntityKey;

/** The section's component: give it the content being edited. Rejects when it can't be fetched. */
export async function loadPreview(name: PreviewName): Promise<ComponentType<PreviewedPage>> {
  const load = (previews as Record<string, Load>)[name];
  if (load) return load();
  const section = await homeSectionOf(name as EntityKey);
  if (!section) throw new Error(`No section of the home page reads "${name}".`);
  return section.Component;
}

/** Whether there is a picture of a section; of the home page's only once these are known. */
export const isPreviewed = (name: PreviewName, arrange: ArrangeSections | undefined): boolean =>
  name in previews || !!arrange?.([]).some(({ reads }) => reads.includes(name as EntityKey));

/** The section of the home page that reads an entity, with all that it reads; or none. */
async function homeSectionOf(key: EntityKey) {
  const { HOME_SECTIONS } = await import("../site/sections/index.ts");
  return HOME_SECTIONS.find(({ reads }) => reads.includes(key));
}

/** A section of the home page as the dashboard arranges it; `preview` is what it is previewed by. */
export interface HomeSection {
  readonly name: string;
  readonly preview: PreviewName;
  /** What its button in the bar says, where it has one. */
  readonly button: string | undefined;
  readonly reads: readonly [EntityKey, ...EntityKey[]];
  /** The settings whose `place` says whether it stands there at all. */
  readonly placedBy: SingletonKey | undefined;
}

/** Says which sections stand below the hero in an order, hidden ones included; `[]` is the usual order. */
export type ArrangeSections = (sectionOrder: readonly string[]) => readonly HomeSection[];

/** Fetches what arranges the home page's sections while these extras are on. Rejects when it can't be fetched. */
export async function loadArrangement(extras: readonly string[]): Promise<ArrangeSections> {
  const { arrangedSections, nameOf } = await import("../site/sections/index.ts");
  return (sectionOrder) =>
    arrangedSections({ sectionOrder })
      .slice(1)
      .filter(({ extra }) => extra === undefined || extras.includes(extra))
      .map((section) => ({
        name: nameOf(section),
        preview: section.reads[0],
        button: section.button?.label,
        reads: section.reads,
        placedBy: section.placedBy,
      }));
}
