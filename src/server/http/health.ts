/** `GET /api/health`, for monitors: can the site save, and is there anything that needs somebody? */
import { Elysia } from "elysia";
import type { Clock } from "../shared/clock.ts";
import { cannotStore, isRefusal } from "../shared/errors.ts";
import type { MayWatch } from "./watchers.ts";

/** What can be wrong, by the names that monitors see. */
export const PROBLEMS = [
  "writes",
  "move",
  "mail",
  "backup",
  "certificate",
  "disk",
  "pictures",
] as const;

/** Something that needs somebody; the message says what is, and what to do. */
export interface Problem {
  readonly name: (typeof PROBLEMS)[number];
  readonly message: string;
}

/** What is wrong now, "writes" first. */
export type LookAtHealth = () => Promise<readonly Problem[]>;

/** The disk is asked at most this often, in milliseconds, as anybody may call. */
const FRESH = 5000;

interface HealthOptions {
  /** Each throws `cannot_store` where nothing can be saved. */
  readonly tries: readonly (() => Promise<void>)[];
  readonly others: LookAtHealth;
  readonly clock: Clock;
}

/** Looks at most every five seconds, whoever asks how often. */
export function healthOf({ tries, others, clock }: HealthOptions): LookAtHealth {
  let asked = Number.NEGATIVE_INFINITY;
  let found: Promise<readonly Problem[]> = Promise.resolve([]);
  const look = async () => {
    const [writes, rest] = await Promise.all([firstRefusal(tries), others()]);
    return [...writes, ...rest];
  };
  return () => {
    // In both directions: if the clock was set back, an old result must not last until it has caught up.
    if (Math.abs(clock() - asked) >= FRESH) {
      asked = clock();
      found = look();
    }
    return found;
  };
}

/**
 * 200 `{status: "ok"}`, else 503: "failing" when nothing can be saved, with why in `error`, and "degraded" when the
 * site serves and saves and something needs somebody. `failing` has the names, for watchers with their messages.
 */
export function healthRoute(look: LookAtHealth, mayWatch: MayWatch) {
  return new Elysia().get("/api/health", async ({ request }) => {
    const problems = await look();
    if (problems.length === 0) return { status: "ok" };
    const writes = problems.find(({ name }) => name === "writes");
    const failing = mayWatch(request) ? problems : problems.map(({ name }) => ({ name }));
    const said = writes
      ? { status: "failing", ...cannotStore(writes.message).body }
      : { status: "degraded" };
    return Response.json({ ...said, failing }, { status: 503 });
  });
}

/** Whether an answer of `/api/health` is that of a site that serves and saves, whatever else needs somebody. */
export async function isServing(response: Response): Promise<boolean> {
  if (response.ok) return true;
  const said: unknown = await response.json().catch(() => undefined);
  return (said as { status?: unknown } | undefined)?.status === "degraded";
}

async function firstRefusal(tries: HealthOptions["tries"]): Promise<Problem[]> {
  const outcomes = await Promise.allSettled(tries.map((each) => each()));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (!failed) return [];
  const { reason } = failed;
  return [
    { name: "writes", message: isRefusal(reason, "cannot_store") ? reason.message : UNKNOWN },
  ];
}

const UNKNOWN = "The site can't read or write its data at the moment.";
