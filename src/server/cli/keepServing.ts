/** Keeps the site up when something fails that nobody waits for. */

/**
 * From now on an error that nothing caught is reported, and the program goes on: a download that broke
 * off must not take the site from everyone else. What must end the program (a disk that did not keep
 * what it was given, design.md section 6) ends it itself.
 */
export function keepServing(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}
