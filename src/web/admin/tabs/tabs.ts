/** The dashboard's tabs: one per declared section, and others. */
import type { LucideIcon } from "lucide-react";
import ClipboardList from "lucide-react/icons/clipboard-list";
import Folder from "lucide-react/icons/folder";
import Mail from "lucide-react/icons/mail";
import Palette from "lucide-react/icons/palette";
import Plus from "lucide-react/icons/plus";
import type { ComponentType } from "react";
import { allEntities, type Entity, type EntityKey } from "../../../schema/index.ts";
import { inPageOrder } from "../../../schema/sections/pageOrder.ts";
import { hasPermission, type Permission } from "../../../schema/core/roles.ts";
import { type LazyPart, lazyPart } from "../parts/LazyPart.tsx";
import { NewSubmissions } from "./forms/submissionCounts.tsx";
import { ICONS } from "./icons.ts";

/** A tab; `edits` are its own entities. */
export interface Tab {
  /** In the URL: `?tab=hero`. */
  readonly key: string;
  readonly label: string;
  readonly group: "Sections" | "Messages" | "Site";
  readonly icon: LucideIcon;
  readonly edits: readonly string[];
  /** The permission needed to see it; default: content. */
  readonly may?: Permission;
  /** Its code is loaded when first opened, or preloaded. */
  readonly Part: LazyPart<{ tab: Tab }>;
  /** A badge beside its label, such as new submissions: `<span className="rail-count">`. */
  readonly Count?: ComponentType;
}

export type TabCode = () => Promise<ComponentType<{ tab: Tab }>>;

export const customTab = (label: string, code: TabCode) => ({
  label,
  Part: lazyPart({ subject: label, code }),
});

/** Sections with code beyond their declaration, by an entity of theirs. */
const CODE: Readonly<Record<string, TabCode>> = {
  hero: async () => (await import("./HeroTab.tsx")).HeroTab,
  about: async () => (await import("./AboutTab.tsx")).AboutTab,
  statistics: async () => (await import("./StatisticsTab.tsx")).StatisticsTab,
  highlights: async () => (await import("./HighlightsTab.tsx")).HighlightsTab,
  connectLinks: async () => (await import("./ConnectTab.tsx")).ConnectTab,
  pressFeatures: async () => (await import("./PressTab.tsx")).PressTab,
  coachingHero: async () => (await import("./CoachingTab.tsx")).CoachingTab,
} satisfies Partial<Record<EntityKey, TabCode>>;

/** The tab that is made from a declaration. */
export const DECLARED: TabCode = async () => (await import("./SectionTab.tsx")).SectionTab;

/** Leads to more extras: a button below the tabs, since it is none of them. */
export const ADD: Tab = {
  key: "add",
  group: "Sections",
  icon: Plus,
  edits: [],
  ...customTab("Add section", async () => (await import("./extras/AddTab.tsx")).AddTab),
};

const rest: readonly (Tab & { readonly edits: readonly EntityKey[] })[] = [
  {
    key: "email",
    group: "Messages",
    icon: Mail,
    edits: ["emailSubscriptions", "letters"],
    may: "site",
    ...customTab("Email", async () => (await import("./EmailTab.tsx")).EmailTab),
  },
  {
    key: "forms",
    group: "Messages",
    icon: ClipboardList,
    edits: ["forms", "formSteps", "formFields", "formSubmissions"],
    may: "account",
    Count: NewSubmissions,
    ...customTab("Forms", async () => (await import("./forms/FormsTab.tsx")).FormsTab),
  },
  {
    key: "styles",
    group: "Site",
    icon: Palette,
    edits: ["styles", "sharing"],
    ...customTab("Styles", async () => (await import("./styles/StylesTab.tsx")).StylesTab),
  },
  {
    key: "files",
    group: "Site",
    icon: Folder,
    edits: ["uploads"],
    ...customTab("Files", async () => (await import("./FilesTab.tsx")).FilesTab),
  },
];

const declared = sections();

export const tabs: readonly Tab[] = [...declared, ...rest];

/** The screens that a role may open: its tabs, including `added` ones, and the button for more. */
export function tabsOf(role: string, added: readonly Tab[]): readonly Tab[] {
  return [...declared, ...added, ...rest, ADD].filter(({ may = "content" }) =>
    hasPermission(role, may),
  );
}

/** Sections are public content that no other tab edits; the site and the welcome have their own screens. */
function sections(): Tab[] {
  const elsewhere: readonly EntityKey[] = ["site", "welcome", "extras"];
  const usedKeys = new Set<string>([...elsewhere, ...rest.flatMap(({ edits }) => edits)]);
  const left = allEntities
    .filter(({ key, readers, extra }) => readers === "everyone" && !extra && !usedKeys.has(key))
    .toSorted(inPageOrder);
  return sectionsOf(left).map(({ key, label, edits }) => ({
    key,
    group: "Sections",
    icon: ICONS[
      left.find((entity) => entity.tab && edits.includes(entity.key))?.tab?.icon ?? "layout"
    ],
    edits,
    ...customTab(label, edits.map((each) => CODE[each]).find(Boolean) ?? DECLARED),
  }));
}

/** A section tab's entities: those declared as its own, and the settings of its lists. */
type Section = Pick<Tab, "key" | "label"> & { readonly edits: readonly string[] };

/** The sections that entities form, in their order. */
export function sectionsOf(entities: readonly Entity[]): Section[] {
  const owner = (key: string) =>
    entities.find((each) => each.shape === "collection" && each.settings === key);
  const bySection = Map.groupBy(entities, (entity) => (owner(entity.key) ?? entity).section);
  return [...bySection].map(([label, edited]) => ({
    key: label.toLowerCase().replaceAll(/\W+/g, "-"),
    label,
    edits: edited.map(({ key }) => key),
  }));
}
