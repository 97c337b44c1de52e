/**
 * `limelight doctor`: looks at a site's files and says what is wrong and what to do. It changes nothing
 * but with `--accept`.
 */
import { allEntities } from "../../schema/index.ts";
import { examine } from "../backup/doctor.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { type Command, say } from "./command.ts";
import { engineOf } from "./openSite.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "checks every file of the site; --accept takes what you changed by hand",
  usage: "[--accept]",
  flags: { "--accept": "alone" },
  async run(config, _args, flags) {
    const data = engineOf(config);
    const accepted = flags.has("--accept") ? await accept(data) : [];
    return report([...accepted, ...(await examine(data, config.uploadsDir))]);
  },
};

/** Files that were changed by hand are taken as they are; nobody else may use them in the meantime. */
async function accept(data: Engine): Promise<Finding[]> {
  const release = await data.lock();
  try {
    return await data.accept(allEntities);
  } finally {
    release();
  }
}

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
