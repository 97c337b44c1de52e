/** The tabs of what an owner has added: nobody else needs to know what there is. */
import type { LucideIcon } from "lucide-react";
import Megaphone from "lucide-react/icons/megaphone";
import { type ExtraKey, EXTRAS } from "../../../schema/extras.ts";
import { own, type Tab, type TabCode } from "./tabs.ts";

/** What they edit is known once their code is there. */
const TABS: Readonly<Record<ExtraKey, { readonly icon: LucideIcon; readonly code: TabCode }>> = {
  announcement: {
    icon: Megaphone,
    code: async () => (await import("./extras/AnnouncementTab.tsx")).announcementTab(),
  },
};

/** In their order; names that nobody knows have none. */
export const extraTabs: readonly Tab[] = EXTRAS.map(({ key, label, entities }) => ({
  key,
  group: "Sections",
  icon: TABS[key].icon,
  edits: entities,
  ...own(label, TABS[key].code),
}));
