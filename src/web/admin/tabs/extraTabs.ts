/** The tabs of the site's extras. Loaded only if the site has extras. */
import CalendarDays from "lucide-react/icons/calendar-days";
import Clapperboard from "lucide-react/icons/clapperboard";
import Megaphone from "lucide-react/icons/megaphone";
import Package from "lucide-react/icons/package";
import Quote from "lucide-react/icons/quote";
import { type ExtraKey, EXTRAS } from "../../../schema/sections/extras.ts";
import { ICON_BY_NAME } from "./sectionIcons.ts";
import { loadDeclaredTab, createLazyPanel, type Tab, type LoadTab } from "./tabs.ts";
import { AwaitingReviewBadge } from "./testimonials/awaitingReview.tsx";

interface CustomTab extends Pick<Tab, "icon" | "Badge"> {
  readonly loadCode: LoadTab;
}

const CUSTOM_TABS: Readonly<Record<string, CustomTab>> = {
  showreel: {
    icon: Clapperboard,
    loadCode: async () => (await import("./packagesAndShowreelTabs.tsx")).ShowreelTab,
  },
  dates: {
    icon: CalendarDays,
    loadCode: async () => (await import("./DatesTab.tsx")).DatesTab,
  },
  testimonials: {
    icon: Quote,
    loadCode: async () => (await import("./TestimonialsTab.tsx")).TestimonialsTab,
    Badge: AwaitingReviewBadge,
  },
  packages: {
    icon: Package,
    loadCode: async () => (await import("./packagesAndShowreelTabs.tsx")).PackagesTab,
  },
  announcement: {
    icon: Megaphone,
    loadCode: async () => (await import("./extras/AnnouncementTab.tsx")).AnnouncementTab,
  },
} satisfies Partial<Record<ExtraKey, CustomTab>>;

export const EXTRA_TABS: readonly Tab[] = EXTRAS.map(({ key, label, icon, entities }) => ({
  key,
  group: "Sections",
  icon: CUSTOM_TABS[key]?.icon ?? ICON_BY_NAME[icon ?? "layout"],
  entityKeys: entities,
  ...(CUSTOM_TABS[key]?.Badge && { Badge: CUSTOM_TABS[key].Badge }),
  ...createLazyPanel(label, CUSTOM_TABS[key]?.loadCode ?? loadDeclaredTab),
}));
