/** Entities that aren't content: browsers don't need their declarations (see src/build/scripts.ts). */
import { invitations, loginRules, sessions, users } from "./accounts.ts";
import { auditLog } from "./audit.ts";
import { bin } from "./bin.ts";
import { callsCalendar } from "./callsCalendar.ts";
import { letterProgress, letterRecipients, letters, letterSettings } from "./letters.ts";
import { handedIn, mailSettings, outbox, pushDevices } from "./mail.ts";
import { backupSettings, erasedEnquiries, erasureMark, erasures, siteTime } from "./upkeep.ts";

export const serverEntities = {
  users,
  sessions,
  invitations,
  loginRules,
  bin,
  auditLog,
  mailSettings,
  outbox,
  handedIn,
  pushDevices,
  callsCalendar,
  letterSettings,
  letters,
  letterProgress,
  letterRecipients,
  siteTime,
  backupSettings,
  erasures,
  erasedEnquiries,
  erasureMark,
};
