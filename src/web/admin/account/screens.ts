/** The account area's screens. The code of a screen is loaded when the screen is first opened. */
import type { LucideIcon } from "lucide-react";
import Archive from "lucide-react/icons/archive";
import KeyRound from "lucide-react/icons/key-round";
import ListChecks from "lucide-react/icons/list-checks";
import ScrollText from "lucide-react/icons/scroll-text";
import Mail from "lucide-react/icons/mail";
import Settings from "lucide-react/icons/settings";
import Trash from "lucide-react/icons/trash";
import ShieldCheck from "lucide-react/icons/shield-check";
import Users from "lucide-react/icons/users";
import type { ComponentType, ReactNode } from "react";
import { hasPermission, type Permission } from "../../../schema/core/roles.ts";
import { type PreloadableComponent, createLazyComponent } from "../parts/lazyComponent.tsx";
import { useEntity } from "../data/useEntity.ts";
import { BinCount } from "./bin/binCounts.tsx";

/** A screen of the account area. In the account menu, a line separates the groups. */
interface AccountScreen {
  /** The screen's name in the URL, such as `?account=security`. */
  readonly key: string;
  readonly label: string;
  readonly group: "you" | "recovery" | "site";
  readonly icon: LucideIcon;
  /** The permission needed to open the screen. Default: only owners can open it. */
  readonly permission?: Permission;
  readonly Screen: PreloadableComponent<object>;
  /** A note at the end of the menu item, such as the time of the last backup. */
  readonly Note?: ComponentType;
  /** A component around the menu item. If it doesn't render its children, the item is hidden. Default: always shown. */
  readonly Gate?: ComponentType<{ readonly children: ReactNode }>;
}

const createScreen = (label: string, loadCode: () => Promise<ComponentType>) => ({
  label,
  Screen: createLazyComponent<object>({ subject: label, loadCode }),
});

const accountScreens: readonly AccountScreen[] = [
  {
    key: "password",
    group: "you",
    permission: "account",
    icon: KeyRound,
    ...createScreen(
      "Profile and password",
      async () => (await import("./security/Profile.tsx")).ProfileAndPassword,
    ),
  },
  {
    key: "mail",
    group: "you",
    icon: Mail,
    ...createScreen("Email settings", async () => (await import("./mail/Mail.tsx")).MailPage),
  },
  {
    key: "security",
    group: "you",
    permission: "account",
    icon: ShieldCheck,
    ...createScreen("Security", async () => (await import("./security/Security.tsx")).SecurityPage),
  },
  {
    key: "backups",
    group: "recovery",
    icon: Archive,
    ...createScreen("Backups", async () => (await import("./backups/Backups.tsx")).Backups),
    Note: createLazyComponent<object>({
      subject: "the last backup",
      loadCode: async () => (await import("./backups/useBackups.tsx")).LastBackupNote,
      placeholder: null,
      wrapError: () => null,
    }),
  },
  {
    key: "bin",
    group: "recovery",
    icon: Trash,
    Note: BinCount,
    ...createScreen("Trash", async () => (await import("./bin/Bin.tsx")).BinPage),
  },
  {
    key: "people",
    group: "site",
    icon: Users,
    ...createScreen("People", async () => (await import("./people/People.tsx")).People),
  },
  {
    key: "happened",
    group: "site",
    icon: ScrollText,
    ...createScreen("Activity", async () => (await import("./AuditLog.tsx")).AuditLog),
  },
  {
    key: "site",
    group: "site",
    icon: Settings,
    ...createScreen("Site settings", async () => (await import("./SiteSettings.tsx")).SiteSettings),
  },
  {
    key: "next",
    group: "site",
    icon: ListChecks,
    Gate: NextStepsGate,
    Note: createLazyComponent<object>({
      subject: "the next steps",
      loadCode: async () => (await import("../tabs/NextSteps.tsx")).NextStepsNote,
      placeholder: null,
      wrapError: () => null,
    }),
    ...createScreen(
      "Next steps",
      async () => (await import("../tabs/NextSteps.tsx")).NextStepsScreen,
    ),
  },
];

export const findScreensForRole = (role: string) =>
  accountScreens.filter(({ permission = "site" }) => hasPermission(role, permission));

/** Shows the "Next steps" item on sites that were set up with the welcome assistant, until all steps are done. */
function NextStepsGate({ children }: { readonly children: ReactNode }): ReactNode {
  const { value } = useEntity("welcome");
  return value && value.state !== "none" && value.checklist !== "done" ? children : null;
}
