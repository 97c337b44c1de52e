/** Asks the registry for known vulnerabilities in a release's packages. */
import { join } from "node:path";

type Advisories = Readonly<Record<string, readonly Advisory[]>>;

interface Advisory {
  readonly title: string;
  readonly severity: string;
  readonly url: string;
}

/** Throws if a package has an advisory, or if the registry can't be reached. `env` may set another registry. */
export async function auditPackages(env: Record<string, string | undefined>): Promise<void> {
  const cwd = join(import.meta.dir, "../..");
  const audit = Bun.spawn([process.execPath, "audit", "--json"], {
    cwd,
    env: { ...env, BUN_BE_BUN: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [report, errorOutput, code] = await Promise.all([
    new Response(audit.stdout).text(),
    new Response(audit.stderr).text(),
    audit.exited,
  ]);
  if (code === 0) return;
  const advisories = parseReport(report);
  if (!advisories)
    throw new Error(
      `Couldn't check for known vulnerabilities (${errorOutput.trim()}). Try again later, ${UNAUDITED_ADVICE}`,
    );
  const vulnerabilities = Object.entries(advisories).flatMap(([name, each]) =>
    each.map(({ title, severity, url }) => `${name}: ${title} (${severity}, ${url})`),
  );
  throw new Error(
    `Packages have known vulnerabilities: ${vulnerabilities.join("; ")}. Use versions without them, ${UNAUDITED_ADVICE}`,
  );
}

const UNAUDITED_ADVICE =
  "or release with --unaudited and say in the release notes why that is safe.";

function parseReport(text: string): Advisories | undefined {
  try {
    return JSON.parse(text) as Advisories;
  } catch {
    return undefined;
  }
}
