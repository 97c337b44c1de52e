/** Tabs of the owner's extras, whose code is only loaded with some. */
import CalendarDays from "lucide-react/icons/calendar-days";
import Clapperboard from "lucide-react/icons/clapperboard";
import Megaphone from "lucide-react/icons/megaphone";
import Package from "lucide-react/icons/package";
import Quote from "lucide-react/icons/quote";
import type { ExtraKey } from "../../../schema/sections/declaredExtras.ts";
import { EXTRAS } from "../../../schema/sections/extras.ts";
import { ICONS } from "./icons.ts";
import { DECLARED, own, type Tab, type TabCode } from "./tabs.ts";
import { WaitingTestimonials } from "./testimonials/waiting.tsx";

/** The tab's parts beyond its declaration. */
interface OwnTab extends Pick<Tab, "icon" | "Count"> {
  readonly code: TabCode;
}

const OWN: Readonly<Record<string, OwnTab>> = {
  showreel: {
    icon: Clapperboard,
    code: async () => (await import("./ShowreelTab.tsx")).ShowreelTab,
  },
  dates: {
    icon: CalendarDays,
    code: async () => (await import("./DatesTab.tsx")).DatesTab,
  },
  testimonials: {
    icon: Quote,
    code: async () => (await import("./TestimonialsTab.tsx")).TestimonialsTab,
    Count: WaitingTestimonials,
  },
  packages: {
    icon: Package,
    code: async () => (await import("./PackagesTab.tsx")).PackagesTab,
  },
  announcement: {
    icon: Megaphone,
    code: async () => (await import("./extras/AnnouncementTab.tsx")).AnnouncementTab,
  },
} satisfies Partial<Record<ExtraKey, OwnTab>>;

/** In order; unknown names have no tab. */
export const extraTabs: readonly Tab[] = EXTRAS.map(({ key, label, icon, entities }) => ({
  key,
  group: "Sections",
  icon: OWN[key]?.icon ?? ICONS[icon ?? "layout"],
  edits: entities,
  ...(OWN[key]?.Count && { Count: OWN[key].Count }),
  ...own(label, OWN[key]?.code ?? DECLARED),
}));
