/** Exports a list as CSV, page by page, so that the dashboard stays responsive. */
import { signal } from "@preact/signals-react";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import { showToast } from "../../ui/toast.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { type CsvFile, downloadFile, type Separator, chooseSeparator } from "./csv.ts";
import { readPage } from "./usePagedList.ts";

/** `path` is the list's route; `plural` names its items ("submissions"). */
export interface ExportRequest<T extends { readonly id: string }> {
  readonly path: string;
  readonly plural: string;
  readonly createFile: (separator: Separator) => CsvFile<T>;
  readonly createFileName: (today: Date) => string;
}

/** `language` is the site's. */
interface ExportJob<T extends { readonly id: string }> extends ExportRequest<T> {
  readonly language: string;
}

interface RunningExport {
  readonly exportedCount: number;
  /** Undefined until the first page is loaded. */
  readonly total?: number;
  readonly cancel: () => void;
}

const runningExports = signal<Readonly<Record<string, RunningExport>>>({});

export const useRunningExport = (path: string): RunningExport | undefined =>
  useSignalValue(runningExports)[path];

/** Exports and shows the result in a toast. Does nothing while the same list is being exported. */
export async function exportRecords<T extends { readonly id: string }>(
  request: ExportJob<T>,
): Promise<void> {
  const { path, plural, createFileName } = request;
  if (runningExports.value[path]) return;
  const abort = new AbortController();
  const reportProgress = (done: number, total?: number) =>
    updateExport(path, {
      exportedCount: done,
      ...(total === undefined ? {} : { total }),
      cancel: () => abort.abort(),
    });
  reportProgress(0);
  try {
    const parts = await readAllParts(request, reportProgress, abort.signal);
    if (parts === null) return showNoDataToast(plural);
    downloadFile(new Blob(parts, { type: "text/csv;charset=utf-8" }), createFileName(new Date()));
    toastSuccess(`${plural.charAt(0).toUpperCase()}${plural.slice(1)} exported successfully`);
  } catch (error) {
    if (abort.signal.aborted) showToast({ title: "Export canceled" });
    else toastFailure(error, `Failed to export ${plural}`);
  } finally {
    updateExport(path, undefined);
  }
}

/** The server's maximum page size. */
const ROWS_PER_REQUEST = 1000;

/** Reads the whole list. Null if it is empty. */
async function readAllParts<T extends { readonly id: string }>(
  { path, createFile, language }: ExportJob<T>,
  progress: (done: number, total: number) => void,
  stop: AbortSignal,
): Promise<BlobPart[] | null> {
  const filled = createFile(chooseSeparator(language));
  const seen = new Set<string>();
  for (let offset = 0; ; offset += ROWS_PER_REQUEST) {
    // One page at a time, so the server and the browser stay responsive.
    const page = await readPage<T>(path, { offset, limit: ROWS_PER_REQUEST }, stop); // oxlint-disable-line no-await-in-loop
    // Rows added meanwhile come first, so the next page begins with rows that were already read.
    const fresh = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    filled.addRecords(fresh);
    progress(Math.min(seen.size, page.total), page.total);
    if (page.items.length === 0 || offset + ROWS_PER_REQUEST >= page.total) break;
  }
  return seen.size === 0 ? null : filled.createParts();
}

function showNoDataToast(plural: string): void {
  showToast({ title: "No data", description: `No ${plural} to export`, isDestructive: true });
}

function updateExport(path: string, running: RunningExport | undefined): void {
  const { [path]: _, ...others } = runningExports.value;
  runningExports.value = running ? { ...others, [path]: running } : others;
}
