/** The site's health and metrics for monitoring software. The problems are those of the owner's notices. */
import { dirname } from "node:path";
import { Elysia } from "elysia";
import packageJson from "../../package.json" with { type: "json" };
import { entities } from "../schema/index.ts";
import type { BackupScheduler } from "./backup/repository/backupScheduler.ts";
import { createHealthCheck, createHealthRoutes, type CheckHealth } from "./http/health.ts";
import { type Metric, createMetricsRoute, type RequestCounts } from "./http/metrics.ts";
import type { CanMonitor } from "./http/monitorAccess.ts";
import type { Mail } from "./mail/mail.ts";
import type { Clock } from "./shared/clock.ts";
import type { Config } from "./shared/config.ts";
import { type NoticeSource, PROBLEM_NAMES } from "./shared/notice.ts";
import type { Store } from "./storage/store.ts";
import { measureDiskSpace } from "./upkeep/limitNotices.ts";

export interface MonitoringSources {
  readonly noticeSources: readonly NoticeSource[];
  readonly requestCounts: RequestCounts;
  readonly canMonitor: CanMonitor;
}

interface MonitoringContext extends MonitoringSources {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly backups: BackupScheduler;
  readonly mail: Mail;
}

/** GET `/api/health`, `/api/health/attention` and `/metrics`. */
export function createMonitoringRoutes(context: MonitoringContext) {
  const { store, noticeSources, clock, canMonitor } = context;
  const checkHealth = createHealthCheck(noticeSources, clock);
  let changeCount = 0;
  store.onChange(() => changeCount++);
  return new Elysia()
    .use(createHealthRoutes(checkHealth, canMonitor, store.siteId))
    .use(createMetricsRoute(() => collectMetrics(context, checkHealth, changeCount), canMonitor));
}

async function collectMetrics(
  context: MonitoringContext,
  checkHealth: CheckHealth,
  changeCount: number,
): Promise<Metric[]> {
  const { store, config, backups, mail, requestCounts } = context;
  const problems = new Set((await checkHealth()).map(({ name }) => name));
  const [queuedCount, { here, away }, dataDisk, picturesDisk, backupsDisk] = await Promise.all([
    store.of(entities.outbox).count({ state: "waiting" }),
    backups.readState(),
    measureDiskSpace(config.dataDir).catch(() => undefined),
    measureDiskSpace(config.uploadsDir).catch(() => undefined),
    // The folder is missing until the first backup, so its parent is measured.
    measureDiskSpace(config.backupDir).catch(() =>
      measureDiskSpace(dirname(config.backupDir)).catch(() => undefined),
    ),
  ]);
  const { waiting: late, failed } = await mail.outbox.countProblems();
  const mapDisks = (measure: "free" | "size") => ({
    'folder="data"': dataDisk?.[measure],
    'folder="pictures"': picturesDisk?.[measure],
    'folder="backups"': backupsDisk?.[measure],
  });
  return [
    createGauge("limelight_build_info", "Version of Limelight", {
      [`version="${packageJson.version}"`]: 1,
    }),
    createGauge(
      "limelight_problem",
      "1 if the problem exists; the names are those of /api/health",
      Object.fromEntries(
        PROBLEM_NAMES.map((name) => [`name="${name}"`, Number(problems.has(name))]),
      ),
    ),
    ...requestCounts.createMetrics(),
    {
      name: "limelight_changes_total",
      type: "counter",
      help: "Changes to sections and lists seen by this process",
      values: { "": changeCount },
    },
    createGauge(
      "limelight_messages",
      "Queued messages: waiting, late (over an hour), failed (within a week)",
      { 'state="waiting"': queuedCount, 'state="late"': late, 'state="failed"': failed },
    ),
    createGauge(
      "limelight_backup_timestamp_seconds",
      "Time of the newest backup, by its location",
      {
        'location="local"': toUnixSeconds(here.lastAt),
        'location="offsite"': away ? toUnixSeconds(away.lastAt) : undefined,
      },
    ),
    createGauge("limelight_disk_free_bytes", "Free space on the folder's disk", mapDisks("free")),
    createGauge("limelight_disk_size_bytes", "Size of the folder's disk", mapDisks("size")),
    ...createProcessMetrics(),
  ];
}

/** Returns metrics of the process, named as by Prometheus clients. */
function createProcessMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    createGauge("process_resident_memory_bytes", "Resident memory size", {
      "": process.memoryUsage.rss(),
    }),
    createGauge("process_start_time_seconds", "Start time of the process", {
      "": Math.round(Date.now() / 1000 - process.uptime()),
    }),
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Total user and system CPU time",
      values: { "": (user + system) / 1e6 },
    },
  ];
}

const createGauge = (name: string, help: string, values: Metric["values"]): Metric => ({
  name,
  type: "gauge",
  help,
  values,
});

/** Returns 0 without a timestamp, so that an alert on old backups also fires if none exists. */
const toUnixSeconds = (timestamp: string | null) => (timestamp ? Date.parse(timestamp) / 1000 : 0);
