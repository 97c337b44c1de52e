/** The screens of the account area: one entry and one component each, fetched when first opened. */
import type { LucideIcon } from "lucide-react";
import Archive from "lucide-react/icons/archive";
import KeyRound from "lucide-react/icons/key-round";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import Settings from "lucide-react/icons/settings";
import Trash from "lucide-react/icons/trash";
import type { ComponentType } from "react";
import { type LazyPart, lazyPart } from "../parts/LazyPart.tsx";
import { BinCount } from "./binCounts.tsx";

/** One screen; the menu draws a line between one group and the next. */
export interface AccountScreen {
  /** Stands in the address: `?account=sessions`. */
  readonly key: string;
  readonly label: string;
  readonly group: "you" | "keeping" | "site";
  readonly icon: LucideIcon;
  readonly Screen: LazyPart<object>;
  /** A few quiet words at the end of its line in the menu, such as the time of the last backup. */
  readonly Note?: ComponentType;
}

/** `screen("Sessions", async () => (await import("./Sessions.tsx")).Sessions)` */
const screen = (label: string, code: () => Promise<ComponentType>) => ({
  label,
  Screen: lazyPart<object>({ what: label, code }),
});

export const accountScreens: readonly AccountScreen[] = [
  {
    key: "password",
    group: "you",
    icon: KeyRound,
    ...screen("Change password", async () => (await import("./ChangePassword.tsx")).ChangePassword),
  },
  {
    key: "sessions",
    group: "you",
    icon: MonitorSmartphone,
    ...screen("Sessions", async () => (await import("./Sessions.tsx")).Sessions),
  },
  {
    key: "backups",
    group: "keeping",
    icon: Archive,
    ...screen("Backups", async () => (await import("./Backups.tsx")).Backups),
    Note: lazyPart<object>({
      what: "the last backup",
      code: async () => (await import("./Backups.tsx")).LastBackup,
      waiting: null,
      frame: () => null,
    }),
  },
  {
    key: "bin",
    group: "keeping",
    icon: Trash,
    Note: BinCount,
    ...screen("Bin", async () => (await import("./Bin.tsx")).Bin),
  },
  {
    key: "site",
    group: "site",
    icon: Settings,
    ...screen("Site settings", async () => (await import("./SiteSettings.tsx")).SiteSettings),
  },
];
