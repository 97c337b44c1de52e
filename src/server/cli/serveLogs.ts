/** What a serving site says, none of which waits for whoever reads it. */
import { faultLine, moments, type ReportFault } from "../http/requestLog.ts";
import { openLog } from "../shared/log.ts";

export type ServeLogs = ReturnType<typeof serveLogs>;

/** The two logs of a serving site: what it says on standard output, its failures on standard error. */
export function serveLogs() {
  const out = openLog(1);
  const errors = openLog(2);
  const now = moments();
  const stamped = (line: string) => `${now(Date.now())} ${line}`;
  const report: ReportFault = (error, id) => errors.say(stamped(faultLine(error, id)));
  return {
    /** For whoever has just started it. */
    say: (line: string) => out.say(line),
    /** With the time. */
    note: (line: string) => out.say(stamped(line)),
    /** Has its time already, and may wait for others. */
    noteRequest: (line: string) => out.add(line),
    report,
  };
}
