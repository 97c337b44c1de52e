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
import { ICON_BY_NAME } from "./icons.ts";

/** A tab; `edits` are its own entities. */
export interface Tab {
  /** In the URL: `?tab=hero`. */
  readonly key: string;
  readonly label: string;
  readonly group: "Sections" | "Messages" | "Site";
  readonly icon: LucideIcon;
  readonly edits: readonly string[];
  /** The permission needed to see it; default: content. */
  readonly permission?: Permission;
  /** Its code is loaded when first opened, or preloaded. */
  readonly Part: PreloadableComponent<{ tab: Tab }>;
  /** A badge beside its label, such as new submissions: `<span className="rail-count">`. */
  readonly Count?: ComponentType;
}

export type LoadTab = () => Promise<ComponentType<{ tab: Tab }>>;

export const createCustomTab = (label: string, code: LoadTab) => ({
  label,
  Part: createLazyComponent({ subject: label, loadCode: code }),
});

/** Sections with code beyond their declaration, by an entity of theirs. */
const TAB_LOADERS: Readonly<Record<string, LoadTab>> = {
  hero: async () => (await import("./HeroTab.tsx")).HeroTab,
  about: async () => (await import("./AboutTab.tsx")).AboutTab,
  statistics: async () => (await import("./StatisticsTab.tsx")).StatisticsTab,
  highlights: async () => (await import("./HighlightsTab.tsx")).HighlightsTab,
  connectLinks: async () => (await import("./ConnectTab.tsx")).ConnectTab,
  pressFeatures: async () => (await import("./PressTab.tsx")).PressTab,
  coachingHero: async () => (await import("./CoachingTab.tsx")).CoachingTab,
} satisfies Partial<Record<EntityKey, LoadTab>>;

/** The tab that is made from a declaration. */
export const loadDeclaredTab: LoadTab = async () => (await import("./SectionTab.tsx")).SectionTab;

/** Leads to more extras: a button below the tabs, since it is none of them. */
export const ADD_TAB: Tab = {
  key: "add",
  group: "Sections",
  icon: Plus,
  edits: [],
  ...createCustomTab("Add section", async () => (await import("./extras/AddTab.tsx")).AddTab),
};

const otherTabs: readonly (Tab & { readonly edits: readonly EntityKey[] })[] = [
  {
    key: "email",
    group: "Messages",
    icon: Mail,
    edits: ["emailSubscriptions", "letters"],
    permission: "site",
    ...createCustomTab("Email", async () => (await import("./EmailTab.tsx")).EmailTab),
  },
  {
    key: "forms",
    group: "Messages",
    icon: ClipboardList,
    edits: ["forms", "formSteps", "formFields", "formSubmissions"],
    permission: "account",
    Count: NewSubmissionsBadge,
    ...createCustomTab("Forms", async () => (await import("./forms/FormsTab.tsx")).FormsTab),
  },
  {
    key: "styles",
    group: "Site",
    icon: Palette,
    edits: ["styles", "sharing"],
    ...createCustomTab("Styles", async () => (await import("./styles/StylesTab.tsx")).StylesTab),
  },
  {
    key: "files",
    group: "Site",
    icon: Folder,
    edits: ["uploads"],
    ...createCustomTab("Files", async () => (await import("./FilesTab.tsx")).FilesTab),
  },
];

const sectionTabs = createSectionTabs();

export const tabs: readonly Tab[] = [...sectionTabs, ...otherTabs];

/** The screens that a role may open: its tabs, including `added` ones, and the button for more. */
export function tabsForRole(role: string, added: readonly Tab[]): readonly Tab[] {
  return [...sectionTabs, ...added, ...otherTabs, ADD_TAB].filter(
    ({ permission: may = "content" }) => hasPermission(role, may),
  );
}

/** Sections are public content that no other tab edits; the site and the welcome have their own screens. */
function createSectionTabs(): Tab[] {
  const elsewhere: readonly EntityKey[] = ["site", "welcome", "extras"];
  const usedKeys = new Set<string>([...elsewhere, ...otherTabs.flatMap(({ edits }) => edits)]);
  const left = allEntities
    .filter(({ key, readers, extra }) => readers === "everyone" && !extra && !usedKeys.has(key))
    .toSorted(comparePageOrder);
  return groupIntoSections(left).map(({ key, label, edits }) => ({
    key,
    group: "Sections",
    icon: ICON_BY_NAME[
      left.find((entity) => entity.tab && edits.includes(entity.key))?.tab?.icon ?? "layout"
    ],
    edits,
    ...createCustomTab(
      label,
      edits.map((each) => TAB_LOADERS[each]).find(Boolean) ?? loadDeclaredTab,
    ),
  }));
}

/** A section tab's entities: those declared as its own, and the settings of its lists. */
type TabSection = Pick<Tab, "key" | "label"> & { readonly edits: readonly string[] };

/** The sections that entities form, in their order. */
export function groupIntoSections(entities: readonly Entity[]): TabSection[] {
  const owner = (key: string) =>
    entities.find((each) => each.shape === "collection" && each.settingsKey === key);
  const bySection = Map.groupBy(entities, (entity) => (owner(entity.key) ?? entity).section);
  return [...bySection].map(([label, edited]) => ({
    key: label.toLowerCase().replaceAll(/\W+/g, "-"),
    label,
    edits: edited.map(({ key }) => key),
  }));
}
