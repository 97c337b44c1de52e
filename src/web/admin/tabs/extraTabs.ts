/** The tabs of what an owner has added: nobody else needs to know what there is. */
import type { LucideIcon } from "lucide-react";
import CalendarDays from "lucide-react/icons/calendar-days";
import Clapperboard from "lucide-react/icons/clapperboard";
import Megaphone from "lucide-react/icons/megaphone";
import { type ExtraKey, EXTRAS } from "../../../schema/extras.ts";
import { declareExtras } from "../data/extraDeclarations.ts";
import { own, type Tab, type TabCode } from "./tabs.ts";

const TABS: Readonly<Record<ExtraKey, { readonly icon: LucideIcon; readonly code: TabCode }>> = {
  showreel: {
    icon: Clapperboard,
    code: async () => (await import("./ShowreelTab.tsx")).ShowreelTab,
  },
  dates: {
    icon: CalendarDays,
    code: async () => (await import("./DatesTab.tsx")).DatesTab,
  },
  announcement: {
    icon: Megaphone,
    code: async () => (await import("./extras/AnnouncementTab.tsx")).AnnouncementTab,
  },
};

/** In their order; names that nobody knows have none. */
export const extraTabs: readonly Tab[] = EXTRAS.map(({ key, label, entities }) => ({
  key,
  group: "Sections",
  icon: TABS[key].icon,
  edits: entities,
  // What it edits is declared before its code runs.
  ...own(label, () => declareExtras([key]).then(TABS[key].code)),
}));
