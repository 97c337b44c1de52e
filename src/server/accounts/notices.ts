/** Notices for the owner: logged once, and shown in the dashboard for as long as they apply. */
import { Elysia } from "elysia";
import type { AccessGuard } from "./guard.ts";
import { collectNotices, type Notice, type NoticeSource } from "../shared/notice.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import { MINUTE } from "../shared/time.ts";

interface NoticesContext {
  readonly guard: AccessGuard;
  /** Writes a line for the operator. */
  readonly log: (line: string) => void;
  readonly sources: readonly NoticeSource[];
  /** Gets all notices of each check, to notify an owner who isn't logged in. */
  readonly notifyOwners: (present: readonly Notice[]) => Promise<void>;
  readonly onStop: (end: () => unknown) => void;
}

const NOT_SENT = "A notice couldn't be emailed. Limelight will try again in a minute.";

const NOTICES_UNAVAILABLE = "Notices couldn't be loaded. Limelight will try again in a minute.";

/** GET `/api/notices`: `[{code, message}]`. Also checks every minute, for the log. */
export function noticeRoutes({ guard, log, sources, notifyOwners, onStop }: NoticesContext) {
  const logged = new Set<string>();
  const collect = async (): Promise<Notice[]> => {
    const present = await collectNotices(sources, () => log(NOTICES_UNAVAILABLE));
    for (const { message } of present) if (!logged.has(message)) log(message);
    for (const { message } of present) logged.add(message);
    return present;
  };
  const collectAndNotify = async () => {
    const present = await collect();
    void notifyOwners(present).catch(() => log(NOT_SENT));
    return present;
  };
  const rounds = startPeriodicJob(MINUTE, async () => {
    await collectAndNotify().catch(() => log(NOTICES_UNAVAILABLE));
  });
  // A site reopened after a restore checks for itself.
  onStop(rounds.stop);
  return new Elysia({ name: "notices" })
    .use(guard)
    .get("/api/notices", collectAndNotify, { owner: true });
}
