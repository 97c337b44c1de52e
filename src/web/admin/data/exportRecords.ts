/** Exports a list as CSV. Reads it page by page, so that the dashboard stays responsive. */
import { signal } from "@preact/signals-react";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import { showToast } from "../../ui/toast.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { toIsoDay } from "../../shared/formatTimes.ts";
import { type CsvFile, downloadFile, type Separator, chooseSeparator } from "./csv.ts";
import { readPage } from "./usePagedList.ts";

/** `plural` names the list's items ("submissions"). The export appends the date to `fileName`. */
export interface ExportRequest<T extends { readonly id: string }> {
  readonly path: string;
  readonly plural: string;
  readonly createFile: (separator: Separator) => CsvFile<T>;
  readonly fileName: string;
}

interface RunningExport {
  readonly exportedCount: number;
  /** Undefined until the first page is loaded. */
  readonly total: number | undefined;
  readonly cancel: () => void;
}

const runningExports = signal<Readonly<Record<string, RunningExport>>>({});

export const useRunningExport = (path: string): RunningExport | undefined =>
  useSignalValue(runningExports)[path];

/** Does nothing if this list is already being exported. */
export async function exportRecords<T extends { readonly id: string }>(
  { path, plural, createFile, fileName }: ExportRequest<T>,
  siteLanguage: string,
): Promise<void> {
  if (runningExports.value[path]) return;
  const abortController = new AbortController();
  const reportProgress = (exportedCount: number, total?: number) =>
    updateExport(path, { exportedCount, total, cancel: () => abortController.abort() });
  reportProgress(0);
  try {
    const file = createFile(chooseSeparator(siteLanguage));
    const count = await readAll(path, file, reportProgress, abortController.signal);
    if (count === 0) return showNoDataToast(plural);
    const content = new Blob(file.createParts(), { type: "text/csv;charset=utf-8" });
    downloadFile(content, `${fileName}-${toIsoDay(new Date())}.csv`);
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

/** Adds the whole list to `file`. Resolves to the number of records. */
async function readAll<T extends { readonly id: string }>(
  path: string,
  file: CsvFile<T>,
  reportProgress: (exportedCount: number, total: number) => void,
  abortSignal: AbortSignal,
): Promise<number> {
  const seenIds = new Set<string>();
  for (let offset = 0; ; offset += ROWS_PER_REQUEST) {
    const page = await readPage<T>(path, { offset, limit: ROWS_PER_REQUEST }, abortSignal); // oxlint-disable-line no-await-in-loop
    // A record that arrives during the export shifts the list, so a page can repeat records of the previous page.
    const newRecords = page.items.filter(({ id }) => !seenIds.has(id));
    for (const { id } of newRecords) seenIds.add(id);
    file.addRecords(newRecords);
    reportProgress(Math.min(seenIds.size, page.total), page.total);
    if (page.items.length === 0 || offset + ROWS_PER_REQUEST >= page.total) return seenIds.size;
  }
}

function showNoDataToast(plural: string): void {
  showToast({ title: "No data", description: `No ${plural} to export`, isDestructive: true });
}

function updateExport(path: string, runningExport: RunningExport | undefined): void {
  const { [path]: _, ...others } = runningExports.value;
  runningExports.value = runningExport ? { ...others, [path]: runningExport } : others;
}
