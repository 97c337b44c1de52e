/** `GET /api/health` for machines: does the site serve and save? `/api/health/attention` for people: is anything wrong? */
import { Elysia } from "elysia";
import type { Clock } from "../shared/clock.ts";
import { cannotStore, isRefusal } from "../shared/errors.ts";
import {
  collectNotices,
  type Notice,
  type NoticeSource,
  type ProblemName,
} from "../shared/notice.ts";
import { ATTENTION, HEALTH } from "./requestTarget.ts";
import type { CanMonitor } from "./monitorAccess.ts";

/** Something that needs attention; the message is the problem and its solution. */
interface Problem {
  readonly name: ProblemName;
  readonly message: string;
}

/** The current problems, "writes" first. */
export type CheckHealth = () => Promise<readonly Problem[]>;

/** In milliseconds. Anybody may call, so the disk is checked at most this often. */
const CACHE_MS = 5000;

/** Asks the sources at most every five seconds, however often it is called. */
export function healthOf(sources: readonly NoticeSource[], clock: Clock): CheckHealth {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<readonly Problem[]> = Promise.resolve([]);
  const check = async () => {
    const notices = await collectNotices(sources);
    const problems = notices.flatMap(({ problem: name, message }) =>
      name ? [{ name, message }] : [],
    );
    return problems.toSorted((one, other) => Number(isWrites(other)) - Number(isWrites(one)));
  };
  return () => {
    // Absolute, so that a clock set back doesn't prolong an old result until it catches up.
    if (Math.abs(clock() - checkedAt) >= CACHE_MS) {
      checkedAt = clock();
      latest = check();
    }
    return latest;
  };
}

/**
 * Both return `status`: "ok", "degraded" when the site serves and saves but something needs attention, or "failing"
 * with the reason in `error` when nothing can be saved. `failing` lists the problems' names, with messages for
 * watchers. `/api/health` is 503 only when failing, so that no balancer or supervisor takes a site away because a
 * backup is old; `/api/health/attention` is 503 for any problem, for monitors that go by the status code. Watchers
 * are told which site it is, too: several may run on one machine.
 */
export function healthRoutes(checkHealth: CheckHealth, mayWatch: CanMonitor, siteId: string) {
  const respond = (isWell: (problems: readonly Problem[]) => boolean) =>
    async function health({ request }: { readonly request: Request }) {
      const problems = await checkHealth();
      const status = isWell(problems) ? 200 : 503;
      const isMonitor = mayWatch(request);
      const headers = isMonitor ? { [SITE]: siteId } : undefined;
      return Response.json(bodyOf(problems, isMonitor), { status, headers });
    };
  return new Elysia()
    .get(
      HEALTH,
      respond((problems) => !problems.some(isWrites)),
    )
    .get(
      ATTENTION,
      respond((problems) => problems.length === 0),
    );
}

const SITE = "limelight-site";

/** Whether a response of these routes isn't known to be another site's; undefined: the own id can't be read. */
export const isOfSite = ({ headers }: Response, siteId: string | undefined): boolean =>
  siteId === undefined || (headers.get(SITE) ?? siteId) === siteId;

const isWrites = ({ name }: Problem) => name === "writes";

function bodyOf(problems: readonly Problem[], isMonitor: boolean) {
  if (problems.length === 0) return { status: "ok" };
  const writes = problems.find(isWrites);
  const failing = isMonitor ? problems : problems.map(({ name }) => ({ name }));
  return writes
    ? { status: "failing", ...cannotStore(writes.message).body, failing }
    : { status: "degraded", failing };
}

/** Whether anything can be saved; each of `tries` throws `cannot_store` when not. */
export function writesNotices(...tries: readonly (() => Promise<void>)[]): NoticeSource {
  return async (): Promise<Notice[]> => {
    const outcomes = await Promise.allSettled(tries.map((each) => each()));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (!failed) return [];
    const { reason } = failed;
    const message = isRefusal(reason, "cannot_store") ? reason.message : UNKNOWN;
    return [{ code: "writes", problem: "writes", title: "Nothing can be saved", message }];
  };
}

const UNKNOWN = "The site can't read or write its data at the moment.";
