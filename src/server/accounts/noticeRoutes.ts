/** Notices for owners. Each is logged once, and shown in the dashboard for as long as it applies. */
import { Elysia } from "elysia";
import type { AccessGuard } from "./guard.ts";
import { collectNotices, type Notice, type NoticeSource } from "../shared/notice.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import { MINUTE } from "../shared/time.ts";

interface NoticesContext {
  readonly guard: AccessGuard;
  readonly log: (line: string) => void;
  readonly noticeSources: readonly NoticeSource[];
  /** Notifies owners who aren't logged in. Called with all current notices after each check. */
  readonly notifyOwners: (notices: readonly Notice[]) => Promise<void>;
  readonly onStop: (end: () => unknown) => void;
}

const NOT_SENT_MESSAGE = "A notice couldn't be emailed. Limelight will try again in a minute.";

const NOTICES_UNAVAILABLE_MESSAGE =
  "Notices couldn't be loaded. Limelight will try again in a minute.";

/** GET `/api/notices` returns the current notices, which are also checked every minute. */
export function createNoticeRoutes({
  guard,
  log,
  noticeSources,
  notifyOwners,
  onStop,
}: NoticesContext) {
  const loggedMessages = new Set<string>();
  const collectAndNotify = async (): Promise<Notice[]> => {
    const notices = await collectNotices(noticeSources, () => log(NOTICES_UNAVAILABLE_MESSAGE));
    for (const { message } of notices) if (!loggedMessages.has(message)) log(message);
    for (const { message } of notices) loggedMessages.add(message);
    void notifyOwners(notices).catch(() => log(NOT_SENT_MESSAGE));
    return notices;
  };
  const job = startPeriodicJob(MINUTE, async () => void (await collectAndNotify()));
  // Stops the checks when the site closes, because a site that reopens after a restore starts new checks.
  onStop(job.stop);
  return new Elysia({ name: "notices" })
    .use(guard)
    .get("/api/notices", collectAndNotify, { owner: true });
}
