/** `GET /api/health` reports whether the site serves and saves; `/api/health/attention` reports every problem. */
import { Elysia } from "elysia";
import type { Clock } from "../shared/clock.ts";
import { cannotStore, isRefusal } from "../shared/errors.ts";
import {
  collectNotices,
  type Notice,
  type NoticeSource,
  type ProblemName,
} from "../shared/notice.ts";
import { ATTENTION_PATH, HEALTH_PATH } from "./requestTarget.ts";
import type { CanMonitor } from "./monitorAccess.ts";

interface HealthProblem {
  readonly name: ProblemName;
  readonly message: string;
}

export type CheckHealth = () => Promise<readonly HealthProblem[]>;

/** The shortest time between two checks, in milliseconds. Anybody may call, and each check reads the disk. */
const HEALTH_CACHE_MS = 5000;

export function createHealthCheck(sources: readonly NoticeSource[], clock: Clock): CheckHealth {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latestCheck: Promise<readonly HealthProblem[]> = Promise.resolve([]);
  const runCheck = async () => {
    const notices = await collectNotices(sources);
    return notices.flatMap(({ problem: name, message }) => (name ? [{ name, message }] : []));
  };
  return () => {
    // Compares the absolute difference: an old result would otherwise be used for long after the clock was set back.
    if (Math.abs(clock() - checkedAt) >= HEALTH_CACHE_MS) {
      checkedAt = clock();
      latestCheck = runCheck();
    }
    return latestCheck;
  };
}

/**
 * Creates the health routes. The body's `status` is "ok", "degraded" if something needs attention, or "failing" if
 * nothing can be saved; `error` then says why. `failing` lists the problems, with messages only for authorized
 * monitoring tools, which also get the site's id. `/api/health` responds with 503 only if nothing can be saved, so that
 * a load balancer doesn't remove a site because of an old backup. `/api/health/attention` responds with 503 to any
 * problem, for tools that only read the status code.
 */
export function createHealthRoutes(
  checkHealth: CheckHealth,
  canMonitor: CanMonitor,
  siteId: string,
) {
  const createHandler = (isHealthy: (problems: readonly HealthProblem[]) => boolean) =>
    async function health({ request }: { readonly request: Request }) {
      const problems = await checkHealth();
      const status = isHealthy(problems) ? 200 : 503;
      const isMonitor = canMonitor(request);
      const headers = isMonitor ? { [SITE_ID_HEADER]: siteId } : undefined;
      return Response.json(createHealthBody(problems, isMonitor), { status, headers });
    };
  return new Elysia()
    .get(
      HEALTH_PATH,
      createHandler((problems) => !problems.some(isWritesProblem)),
    )
    .get(
      ATTENTION_PATH,
      createHandler((problems) => problems.length === 0),
    );
}

const SITE_ID_HEADER = "limelight-site";

/** Whether a response of the health routes came from this site. Also true if either id is unknown. */
export const isFromSite = ({ headers }: Response, siteId: string | undefined): boolean =>
  siteId === undefined || (headers.get(SITE_ID_HEADER) ?? siteId) === siteId;

const isWritesProblem = ({ name }: HealthProblem) => name === "writes";

function createHealthBody(problems: readonly HealthProblem[], isMonitor: boolean) {
  if (problems.length === 0) return { status: "ok" };
  const writesProblem = problems.find(isWritesProblem);
  const failing = isMonitor ? problems : problems.map(({ name }) => ({ name }));
  return writesProblem
    ? { status: "failing", ...cannotStore(writesProblem.message).body, failing }
    : { status: "degraded", failing };
}

/** Creates a notice source that reports that nothing can be saved if one of `checks` throws. */
export function createWritesNoticeSource(
  ...checks: readonly (() => Promise<void>)[]
): NoticeSource {
  return async (): Promise<Notice[]> => {
    const outcomes = await Promise.allSettled(checks.map((each) => each()));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (!failure) return [];
    const { reason } = failure;
    const message = isRefusal(reason, "cannot_store") ? reason.message : UNKNOWN_PROBLEM_MESSAGE;
    return [{ code: "writes", problem: "writes", title: "Nothing can be saved", message }];
  };
}

const UNKNOWN_PROBLEM_MESSAGE = "The site can't read or write its data at the moment.";
