/** `GET /metrics` in Prometheus's text format (version 0.0.4), for authorized monitoring tools and this machine. */
import { Elysia } from "elysia";
import { notFound } from "../shared/errors.ts";
import type { CanMonitor } from "./monitorAccess.ts";

/** A metric with a value for each set of labels. Undefined values are left out. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  /** The values by their labels, such as `code="2xx"`; the key is "" if there are no labels. */
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** Creates the route `GET /metrics`. A request without access (monitorAccess.ts) gets the usual 404. */
export function createMetricsRoute(
  collectMetrics: () => Promise<readonly Metric[]>,
  canMonitor: CanMonitor,
) {
  return new Elysia().get("/metrics", async ({ request }) => {
    if (!canMonitor(request)) throw notFound();
    return new Response(formatMetrics(await collectMetrics()), {
      headers: {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
        "cache-control": "no-store",
      },
    });
  });
}

const formatMetrics = (metrics: readonly Metric[]) =>
  metrics.flatMap(formatMetric).join("\n") + "\n";

function formatMetric({ name, type, help, values }: Metric): string[] {
  const definedValues = Object.entries(values).filter(([, value]) => value !== undefined);
  if (definedValues.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...definedValues.map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
  ];
}

export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts() {
  const countsByClass = new Map([2, 3, 4, 5].map((digit) => [digit, 0]));
  let totalMs = 0;
  return {
    countRequest(status: number, ms: number) {
      const digit = Math.floor(status / 100);
      countsByClass.set(digit, (countsByClass.get(digit) ?? 0) + 1);
      totalMs += ms;
    },
    createMetrics: (): Metric[] => [
      {
        name: "limelight_http_requests_total",
        type: "counter",
        help: "HTTP requests, by status class",
        values: Object.fromEntries(
          [...countsByClass].map(([digit, count]) => [`code="${digit}xx"`, count]),
        ),
      },
      {
        name: "limelight_http_request_seconds_total",
        type: "counter",
        help: "Total time spent on HTTP requests",
        values: { "": totalMs / 1000 },
      },
    ],
  };
}
