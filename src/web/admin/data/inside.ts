/** What is in a backup, and bringing it back. */
import { useQuery } from "@tanstack/react-query";
import type { InsideBackup } from "../../../schema/backups.ts";
import { call } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";

/** Reads a backup; the first time takes a second or two. */
export function useInside(id: string) {
  return useQuery({
    queryKey: ["inside", id],
    staleTime: 0,
    queryFn: () => readInside(id),
  });
}

const readInside = (id: string) =>
  withSession(() => call<InsideBackup>(`/api/backups/${encodeURIComponent(id)}/inside`));

/** What is brought back. */
export type Wanted =
  { readonly section: string } | { readonly picture: string } | { readonly everything: true };

interface Replaced {
  readonly name: string;
  readonly revision: number;
}

/** POST …/restore; what is shown of the site is read again. Returns what can be put back. Throws CallFailed. */
export async function bringBack(id: string, wanted: Wanted): Promise<readonly Replaced[]> {
  const path = `/api/backups/${encodeURIComponent(id)}/restore`;
  const options = { method: "POST", body: wanted } as const;
  const { replaced = [] } = await withSession(() =>
    call<{ replaced?: readonly Replaced[] }>(path, options),
  );
  if (!("everything" in wanted)) await queryClient.invalidateQueries();
  return replaced;
}

/** Puts back what a section was before. Throws CallFailed. */
export async function undoSection(replaced: readonly Replaced[]): Promise<void> {
  for (const { name, revision } of replaced) {
    const path = `/api/history/${name}/${revision}/restore`;
    await withSession(() => call(path, { method: "POST", body: {} }));
  }
  await queryClient.invalidateQueries();
}

const LOOK_EVERY = 700;
const PATIENCE = 120_000;

/** Resolves once the site is served again and is as the backup has it; to false when that takes too long. */
export async function untilBroughtBack(id: string): Promise<boolean> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    const inside = await readInside(id).catch(() => undefined);
    if (inside?.sections.every(({ changes }) => changes.length === 0)) return true;
  }
  return false;
}
