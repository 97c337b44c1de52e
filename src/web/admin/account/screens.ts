/** The account area's screens: one entry and one component each, loaded when first opened. */
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
import { type LazyPart, lazyPart } from "../parts/LazyPart.tsx";
import { useEntity } from "../data/useEntity.ts";
import { BinCount } from "./bin/binCounts.tsx";

/** A screen; the menu separates groups with a line. */
interface AccountScreen {
  /** In the URL: `?account=security`. */
  readonly key: string;
  readonly label: string;
  readonly group: "you" | "keeping" | "site";
  readonly icon: LucideIcon;
  /** Default: only owners. */
  readonly may?: Permission;
  readonly Screen: LazyPart<object>;
  /** A note at the end of its line in the menu, such as the time of the last backup. */
  readonly Note?: ComponentType;
  /** Shows or hides its line; default: always shown. */
  readonly Gate?: ComponentType<{ readonly children: ReactNode }>;
}

/** `screen("Security", async () => (await import("./security/Security.tsx")).Security)` */
const screen = (label: string, code: () => Promise<ComponentType>) => ({
  label,
  Screen: lazyPart<object>({ subject: label, code }),
});

const accountScreens: readonly AccountScreen[] = [
  {
    key: "password",
    group: "you",
    may: "account",
    icon: KeyRound,
    ...screen(
      "Profile and password",
      async () => (await import("./security/Profile.tsx")).ProfileAndPassword,
    ),
  },
  {
    key: "mail",
    group: "you",
    icon: Mail,
    ...screen("Email settings", async () => (await import("./mail/Mail.tsx")).Mail),
  },
  {
    key: "security",
    group: "you",
    may: "account",
    icon: ShieldCheck,
    ...screen("Security", async () => (await import("./security/Security.tsx")).Security),
  },
  {
    key: "backups",
    group: "keeping",
    icon: Archive,
    ...screen("Backups", async () => (await import("./backups/Backups.tsx")).Backups),
    Note: lazyPart<object>({
      subject: "the last backup",
      code: async () => (await import("./backups/LastBackup.tsx")).LastBackup,
      waiting: null,
      frame: () => null,
    }),
  },
  {
    key: "bin",
    group: "keeping",
    icon: Trash,
    Note: BinCount,
    ...screen("Trash", async () => (await import("./bin/Bin.tsx")).Bin),
  },
  {
    key: "people",
    group: "site",
    icon: Users,
    ...screen("People", async () => (await import("./people/People.tsx")).People),
  },
  {
    key: "happened",
    group: "site",
    icon: ScrollText,
    ...screen("Activity", async () => (await import("./WhatHappened.tsx")).AuditLog),
  },
  {
    key: "site",
    group: "site",
    icon: Settings,
    ...screen("Site settings", async () => (await import("./SiteSettings.tsx")).SiteSettings),
  },
  {
    key: "next",
    group: "site",
    icon: ListChecks,
    Gate: WhileListed,
    Note: lazyPart<object>({
      subject: "the next steps",
      code: async () => (await import("../tabs/WhatsNext.tsx")).WhatsNextNote,
      waiting: null,
      frame: () => null,
    }),
    ...screen("Next steps", async () => (await import("../tabs/WhatsNext.tsx")).WhatsNextScreen),
  },
];

export const screensOf = (role: string) =>
  accountScreens.filter(({ may = "site" }) => hasPermission(role, may));

/** On sites set up with the welcome, until all of "Next steps" is done. */
function WhileListed({ children }: { readonly children: ReactNode }): ReactNode {
  const { value } = useEntity("welcome");
  return value && value.state !== "none" && value.checklist !== "done" ? children : null;
}
