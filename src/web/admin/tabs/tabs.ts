/** The tabs of the dashboard: a section declared without a tab of its own gets one. */
import type { LucideIcon } from "lucide-react";
import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import ClipboardList from "lucide-react/icons/clipboard-list";
import Folder from "lucide-react/icons/folder";
import GraduationCap from "lucide-react/icons/graduation-cap";
import Image from "lucide-react/icons/image";
import LayoutTemplate from "lucide-react/icons/layout-template";
import Link from "lucide-react/icons/link";
import Mail from "lucide-react/icons/mail";
import Newspaper from "lucide-react/icons/newspaper";
import Palette from "lucide-react/icons/palette";
import Sparkles from "lucide-react/icons/sparkles";
import User from "lucide-react/icons/user";
import type { ComponentType } from "react";
import { allEntities, type Entity, type EntityKey } from "../../../schema/index.ts";
import { mayDo, type Permission } from "../../../schema/roles.ts";
import { type LazyPart, lazyPart } from "../parts/LazyPart.tsx";
import { NewSubmissions } from "./forms/submissionCounts.tsx";

/** A tab; `edits` are the entities that are its own. */
export interface Tab {
  /** Stands in the address: `?tab=hero`. */
  readonly key: string;
  readonly label: string;
  readonly group: "Sections" | "Messages" | "Site";
  readonly icon: LucideIcon;
  readonly edits: readonly EntityKey[];
  /** What a role must be allowed to, to see it; default: content. */
  readonly may?: Permission;
  /** One line under the title of a tab made from its declaration. */
  readonly note?: string;
  /** Its code is fetched when it is first opened, or ahead of a press. */
  readonly Part: LazyPart<{ tab: Tab }>;
  /** Shows a number beside its label, such as new submissions: `<span className="rail-count">`. */
  readonly Count?: ComponentType;
}

/** A tab with code of its own. */
const own = (label: string, code: () => Promise<ComponentType<{ tab: Tab }>>) => ({
  label,
  Part: lazyPart({ what: label, code }),
});

const sections: readonly Tab[] = [
  {
    key: "hero",
    group: "Sections",
    icon: Image,
    edits: ["hero"],
    ...own("Hero", async () => (await import("./HeroTab.tsx")).HeroTab),
  },
  {
    key: "about",
    group: "Sections",
    icon: User,
    edits: ["about"],
    ...own("About", async () => (await import("./AboutTab.tsx")).AboutTab),
  },
  {
    key: "statistics",
    group: "Sections",
    icon: ChartNoAxesColumn,
    edits: ["statistics"],
    ...own("Statistics", async () => (await import("./StatisticsTab.tsx")).StatisticsTab),
  },
  {
    key: "highlights",
    group: "Sections",
    icon: Sparkles,
    edits: ["highlights", "highlightSettings"],
    ...own("Highlights", async () => (await import("./HighlightsTab.tsx")).HighlightsTab),
  },
  {
    key: "connect",
    group: "Sections",
    icon: Link,
    edits: ["connectLinks", "connectSettings"],
    ...own("Connect", async () => (await import("./ConnectTab.tsx")).ConnectTab),
  },
  {
    key: "press",
    group: "Sections",
    icon: Newspaper,
    edits: ["pressFeatures", "pressSettings"],
    ...own("Press", async () => (await import("./PressTab.tsx")).PressTab),
  },
  {
    key: "coaching",
    group: "Sections",
    icon: GraduationCap,
    edits: ["coachingHero", "transformations", "transformationSettings"],
    ...own("Coaching", async () => (await import("./CoachingTab.tsx")).CoachingTab),
  },
];

const rest: readonly Tab[] = [
  {
    key: "email",
    group: "Messages",
    icon: Mail,
    edits: ["emailSubscriptions", "letters"],
    may: "site",
    ...own("Email", async () => (await import("./EmailTab.tsx")).EmailTab),
  },
  {
    key: "forms",
    group: "Messages",
    icon: ClipboardList,
    edits: ["forms", "formSteps", "formFields", "formSubmissions"],
    may: "account",
    Count: NewSubmissions,
    ...own("Forms", async () => (await import("./forms/FormsTab.tsx")).FormsTab),
  },
  {
    key: "styles",
    group: "Site",
    icon: Palette,
    edits: ["styles", "sharing"],
    ...own("Styles", async () => (await import("./styles/StylesTab.tsx")).StylesTab),
  },
  {
    key: "files",
    group: "Site",
    icon: Folder,
    edits: ["uploads"],
    ...own("Files", async () => (await import("./FilesTab.tsx")).FilesTab),
  },
];

export const tabs: readonly Tab[] = [...sections, ...declaredOnly(), ...rest];

/** The tabs that a role may open. */
export const tabsOf = (role: string) => tabs.filter(({ may = "content" }) => mayDo(role, may));

function declaredOnly(): Tab[] {
  const taken = [...sections, ...rest].flatMap((tab) => tab.edits);
  const edited = allEntities.filter(({ readers }) => readers !== "none");
  // The site's name has its place in the account menu, and the welcome a page of its own.
  return entitiesWithoutTab(edited, [...taken, "site", "welcome"]).map(({ key, label, edits }) => ({
    key,
    label,
    group: "Sections",
    icon: LayoutTemplate,
    edits: edits as EntityKey[],
    Part: lazyPart({
      what: label,
      code: async () => (await import("./DeclaredTab.tsx")).DeclaredTab,
    }),
  }));
}

/** What one more tab edits: an entity, and the settings that belong to it. */
type WithoutTab = Pick<Tab, "key" | "label"> & { readonly edits: readonly string[] };

/** A tab for each entity whose key is not `taken`; the settings that a list declares go with it. */
export function entitiesWithoutTab(
  entities: readonly Entity[],
  taken: readonly string[],
): WithoutTab[] {
  const left = entities.filter(({ key }) => !taken.includes(key));
  const settings = new Set(left.flatMap((entity) => settingsOf(entity)));
  return left
    .filter(({ key }) => !settings.has(key))
    .map((entity) => ({
      key: entity.key,
      label: entity.section,
      edits: [entity.key, ...settingsOf(entity)],
    }));
}

// Hoisted: `tabs` is made before this line runs.
function settingsOf(entity: Entity): string[] {
  return entity.shape === "collection" && entity.settings ? [entity.settings] : [];
}
