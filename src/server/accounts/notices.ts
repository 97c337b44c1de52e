/** What the owner should know and do something about: told once in the log, and in the dashboard as long as it holds. */
import { Elysia } from "elysia";
import type { OwnerGuard } from "./guard.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";

interface NoticesContext {
  readonly guard: OwnerGuard;
  /** A line for the operator. */
  readonly log: (line: string) => void;
  readonly sources: readonly NoticeSource[];
}

const MINUTE = 60_000;

/** GET `/api/notices`: `[{code, message}]`. Looks every minute too, for the log. */
export function noticeRoutes({ guard, log, sources }: NoticesContext) {
  const told = new Set<string>();
  const look = (): Notice[] => {
    const present = sources.flatMap((source) => source());
    for (const { message } of present) if (!told.has(message)) log(message);
    for (const { message } of present) told.add(message);
    return present;
  };
  const timer = setInterval(look, MINUTE);
  timer.unref();
  return (
    new Elysia({ name: "notices" })
      // A site that is opened anew, after a restore, looks for itself.
      .onStop(() => clearInterval(timer))
      .use(guard)
      .get("/api/notices", look, { owner: true })
  );
}
