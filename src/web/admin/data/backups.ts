/** What the server tells of the backups, and what can be begun. */
import { useQuery } from "@tanstack/react-query";
import type { BackupDifferences, BackupsState } from "../../../schema/backups.ts";
import { call } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";

const KEY = ["backups"];

/** While something is under way it is asked again every second. */
const ASKED_EVERY = 1000;

/** The state of the backups, read again whenever a screen shows it anew. */
export function useBackups() {
  return useQuery({
    queryKey: KEY,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.underWay ? ASKED_EVERY : false),
    queryFn: () => withSession(() => call<BackupsState>("/api/backups")),
  });
}

/** Begins a backup or a rehearsal; it goes on after this. Throws CallFailed. */
export async function begin(job: "backup" | "rehearsal"): Promise<void> {
  const path = job === "backup" ? "/api/backups" : "/api/backups/rehearsal";
  const state = await withSession(() => call<BackupsState>(path, { method: "POST" }));
  queryClient.setQueryData(KEY, state);
}

/** Says how many backups stay from the next one on; asks for the password. Throws CallFailed. */
export async function keepBackups(keep: BackupsState["keep"]): Promise<void> {
  const options = { method: "PUT", body: keep } as const;
  const state = await withSession(() => call<BackupsState>("/api/backups/keep", options));
  queryClient.setQueryData(KEY, state);
}

/** What is warned of above the dashboard may be over. */
export function readNoticesAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ["notices"] });
}

/** The most differences that are named one by one. */
const NAMED = 3;

/** "2 submissions fewer, before changes to Hero"; "as now" when nothing differs. */
export function differenceWords({ counts, changed }: BackupDifferences): string {
  const words = counts.map(({ label, plural, by }) => {
    const count = Math.abs(by);
    const what = count === 1 ? label : plural;
    return `${count.toLocaleString("en-GB")} ${what} ${by < 0 ? "fewer" : "more"}`;
  });
  const parts = changed.length > NAMED ? [`${changed.length} parts of the site`] : changed;
  if (words.length > NAMED) words.splice(NAMED - 1, Number.POSITIVE_INFINITY, "more differences");
  const all = [inOneLine(words), parts.length > 0 && `before changes to ${inOneLine(parts)}`];
  return all.filter(Boolean).join(", ") || "as now";
}

/** "Hero, About and Press". */
function inOneLine(words: readonly string[]): string {
  const [last = "", ...before] = words.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
}
