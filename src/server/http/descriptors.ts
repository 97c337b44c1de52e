/** The process's limit of open files and connections, which the service sets (LimitNOFILE). */
import { readFileSync } from "node:fs";

/** The lowest limit without a warning. A few hundred browsers use fewer descriptors. */
const MIN_DESCRIPTORS = 4096;

/** Returns the startup warning if few files and connections can be open; undefined if the limit is high enough. */
export function describeLowLimit(limit = readDescriptorLimit()): string | undefined {
  if (limit === undefined || limit >= MIN_DESCRIPTORS) return undefined;
  return `Only ${limit} files and connections can be open at once, and visitors can exhaust that. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before starting it.`;
}

/**
 * The number of files and sockets that this process may open; undefined where the system doesn't report it.
 */
function readDescriptorLimit(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
    return soft === "unlimited" ? undefined : Number(soft) || undefined;
  } catch {
    return undefined;
  }
}
