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
  const abortController = new AbortController();
  const reportProgress = (exportedCount: number, total?: number) =>
    updateExport(path, {
      exportedCount,
      ...(total === undefined ? {} : { total }),
      cancel: () => abortController.abort(),
    });
  reportProgress(0);
  try {
    const parts = await readAllParts(request, reportProgress, abortController.signal);
    if (parts === null) return showNoDataToast(plural);
    downloadFile(new Blob(parts, { type: "text/csv;charset=utf-8" }), createFileName(new Date()));
    toastSuccess(`${plural.charAt(0).toUpperCase()}${plural.slice(1)} exported successfully`);
  } catch (error) {
    if (abortController.signal.aborted) showToast({ title: "Export canceled" });
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
  reportProgress: (exportedCount: number, total: number) => void,
  abortSignal: AbortSignal,
): Promise<BlobPart[] | null> {
  const file = createFile(chooseSeparator(language));
  const seenIds = new Set<string>();
  for (let offset = 0; ; offset += ROWS_PER_REQUEST) {
    // One page at a time, so the server and the browser stay responsive.
    const page = await readPage<T>(path, { offset, limit: ROWS_PER_REQUEST }, abortSignal); // oxlint-disable-line no-await-in-loop
    // Rows added meanwhile come first, so the next page begins with rows that were already read.
    const newRecords = page.items.filter(({ id }) => !seenIds.has(id));
    for (const { id } of newRecords) seenIds.add(id);
    file.addRecords(newRecords);
    reportProgress(Math.min(seenIds.size, page.total), page.total);
    if (page.items.length === 0 || offset + ROWS_PER_REQUEST >= page.total) break;
  }
  return seenIds.size === 0 ? null : file.createParts();
}

function showNoDataToast(plural: string): void {
  showToast({ title: "No data", description: `No ${plural} to export`, isDestructive: true });
}

function updateExport(path: string, runningExport: RunningExport | undefined): void {
  const { [path]: _, ...others } = runningExports.value;
  runningExports.value = runningExport ? { ...others, [path]: runningExport } : others;
}
