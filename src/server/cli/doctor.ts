/** `limelight doctor`: looks at a site's files and says what is wrong and what to do; changes nothing. */
import { examine } from "../backup/doctor.ts";
import type { Finding } from "../storage/engine.ts";
import { type Command, say } from "./command.ts";
import { engineOf } from "./openSite.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "checks every file of the site and says what to do",
  run: async (config) => report(await examine(engineOf(config), config.uploadsDir)),
};

function report(findings: readonly Finding[]): number {
  for (const { ok, message } of findings) say(`${ok ? "ok      " : "PROBLEM "} ${message}`);
  const problems = findings.filter((finding) => !finding.ok).length;
  say(
    problems === 0
      ? "All is well."
      : `${problems} ${problems === 1 ? "problem" : "problems"} found.`,
  );
  return problems === 0 ? 0 : 1;
}
