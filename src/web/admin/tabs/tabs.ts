/** The dashboard's tabs: one per declared section, and others. */
import type { LucideIcon } from "lucide-react";
import ClipboardList from "lucide-react/icons/clipboard-list";
import Folder from "lucide-react/icons/folder";
import Mail from "lucide-react/icons/mail";
import Palette from "lucide-react/icons/palette";
import Plus from "lucide-react/icons/plus";
import type { ComponentType } from "react";
import { allEntities, type Entity, type EntityKey } from "../../../schema/index.ts";
import { comparePageOrder } from "../../../schema/sections/pageOrder.ts";
import { hasPermission, type Permission } from "../../../schema/core/roles.ts";
import { type PreloadableComponent, createLazyComponent } from "../parts/lazyComponent.tsx";
import { NewSubmissionsBadge } from "./forms/submissionCounts.tsx";
import { ICON_BY_NAME } from "./sectionIcons.ts";

/** A tab of the dashboard. `entityKeys` are the entities that only this tab edits. */
export interface Tab {
  /** The tab's name in the URL, such as `?tab=hero`. */
  readonly key: string;
  readonly label: string;
  readonly group: "Sections" | "Messages" | "Site";
  readonly icon: LucideIcon;
  readonly entityKeys: readonly string[];
  /** The permission needed to see the tab. Default: "content". */
  readonly permission?: Permission;
  readonly Panel: PreloadableComponent<{ tab: Tab }>;
  /** A badge beside the label, such as the number of new submissions. */
  readonly Badge?: ComponentType;
}

export type LoadTab = () => Promise<ComponentType<{ tab: Tab }>>;

export const createLazyPanel = (label: string, loadCode: LoadTab) => ({
  label,
  Panel: createLazyComponent({ subject: label, loadCode }),
});

/** The loaders of custom tabs. Each key is one of the entities that the tab edits. */
const TAB_LOADERS: Readonly<Record<string, LoadTab>> = {
  hero: async () => (await import("./HeroTab.tsx")).HeroTab,
  about: async () => (await import("./AboutTab.tsx")).AboutTab,
  statistics: async () => (await import("./StatisticsTab.tsx")).StatisticsTab,
  highlights: async () => (await import("./HighlightsTab.tsx")).HighlightsTab,
  connectLinks: async () => (await import("./ConnectTab.tsx")).ConnectTab,
  pressFeatures: async () => (await import("./PressTab.tsx")).PressTab,
  coachingHero: async () => (await import("./CoachingTab.tsx")).CoachingTab,
} satisfies Partial<Record<EntityKey, LoadTab>>;

/** Loads the tab for sections without a custom tab. */
export const loadDeclaredTab: LoadTab = async () => (await import("./SectionTab.tsx")).SectionTab;

/** The tab in which owners add extras (optional sections). It is shown as a button below the tabs. */
export const ADD_TAB: Tab = {
  key: "add",
  group: "Sections",
  icon: Plus,
  entityKeys: [],
  ...createLazyPanel("Add section", async () => (await import("./extras/AddTab.tsx")).AddTab),
};

const nonSectionTabs: readonly (Tab & { readonly entityKeys: readonly EntityKey[] })[] = [
  {
    key: "email",
    group: "Messages",
    icon: Mail,
    entityKeys: ["emailSubscriptions", "letters"],
    permission: "site",
    ...createLazyPanel("Email", async () => (await import("./EmailTab.tsx")).EmailTab),
  },
  {
    key: "forms",
    group: "Messages",
    icon: ClipboardList,
    entityKeys: ["forms", "formSteps", "formFields", "formSubmissions"],
    permission: "account",
    Badge: NewSubmissionsBadge,
    ...createLazyPanel("Forms", async () => (await import("./forms/FormsTab.tsx")).FormsTab),
  },
  {
    key: "styles",
    group: "Site",
    icon: Palette,
    entityKeys: ["styles", "sharing"],
    ...createLazyPanel("Styles", async () => (await import("./styles/StylesTab.tsx")).StylesTab),
  },
  {
    key: "files",
    group: "Site",
    icon: Folder,
    entityKeys: ["uploads"],
    ...createLazyPanel("Files", async () => (await import("./FilesTab.tsx")).FilesTab),
  },
];

const sectionTabs = createSectionTabs();

export const tabs: readonly Tab[] = [...sectionTabs, ...nonSectionTabs];

/** Returns the tabs that a role may see. `extraTabs` are the tabs of the site's extras. */
export function findTabsForRole(role: string, extraTabs: readonly Tab[]): readonly Tab[] {
  return [...sectionTabs, ...extraTabs, ...nonSectionTabs, ADD_TAB].filter(
    ({ permission = "content" }) => hasPermission(role, permission),
  );
}

/** Creates the tabs of sections: the public entities that aren't extras and that no other tab or screen edits. */
function createSectionTabs(): Tab[] {
  const keysEditedElsewhere: readonly EntityKey[] = ["site", "welcome", "extras"];
  const usedKeys = new Set<string>([
    ...keysEditedElsewhere,
    ...nonSectionTabs.flatMap(({ entityKeys }) => entityKeys),
  ]);
  const sectionEntities = allEntities
    .filter(({ key, readers, extra }) => readers === "everyone" && !extra && !usedKeys.has(key))
    .toSorted(comparePageOrder);
  return groupBySection(sectionEntities).map(({ key, label, entityKeys }) => ({
    key,
    group: "Sections",
    icon: ICON_BY_NAME[
      sectionEntities.find((entity) => entity.tab && entityKeys.includes(entity.key))?.tab?.icon ??
        "layout"
    ],
    entityKeys,
    ...createLazyPanel(
      label,
      entityKeys.map((entityKey) => TAB_LOADERS[entityKey]).find(Boolean) ?? loadDeclaredTab,
    ),
  }));
}

type TabSection = Pick<Tab, "key" | "label"> & { readonly entityKeys: readonly string[] };

/** Groups entities by section. A list's settings belong to the list's section. */
export function groupBySection(entities: readonly Entity[]): TabSection[] {
  const findListBySettingsKey = (key: string) =>
    entities.find((each) => each.shape === "collection" && each.settingsKey === key);
  const bySection = Map.groupBy(
    entities,
    (entity) => (findListBySettingsKey(entity.key) ?? entity).section,
  );
  return [...bySection].map(([label, sectionEntities]) => ({
    key: label.toLowerCase().replaceAll(/\W+/g, "-"),
    label,
    entityKeys: sectionEntities.map(({ key }) => key),
  }));
}
