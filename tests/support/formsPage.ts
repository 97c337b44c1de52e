/** Forms and the Messages tabs of the dashboard for browser tests: what is there, who looks at it. */
import Papa from "papaparse";
import type { Download } from "playwright-core";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { logInQuietly } from "./dashboard.ts";
import type { Executable } from "./executable.ts";

/** A write of the dashboard as it went over the line. */
export interface Sent {
  readonly call: string;
  readonly body: unknown;
}

/** A page of the owner's, and the writes it has made so far. */
export interface OwnerPage {
  readonly page: TestPage;
  readonly sent: Sent[];
  /** The words of the toast there is, title and description. */
  toast(words: string): Promise<void>;
}

/** Opens the dashboard at an address such as "?tab=forms&sub=builder"; confirmations are accepted. */
export async function openAsOwner(
  site: Executable,
  search: string,
  options: PageOptions = {},
): Promise<OwnerPage> {
  const page = await newPage(options);
  await logInQuietly(page, site);
  const sent: Sent[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET") return;
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    sent.push({ call, body: request.postData() === null ? null : request.postDataJSON() });
  });
  await page.goto(`${site.url}/admin/dashboard${search}`);
  await page.locator("#tab-panel h2").waitFor();
  const toast = (words: string) => page.locator(".ui-toast").getByText(words).waitFor();
  return { page, sent, toast };
}

/** A form of one step; `fields` are [fieldType, label] and what else they have. */
export async function makeForm(
  site: Executable,
  title: string,
  fields: readonly (readonly [string, string, object?])[] = [],
) {
  const form = await site.asOwner("POST", "/api/forms", { name: "Inner", title, isActive: true });
  const step = await site.asOwner("POST", "/api/form-steps", { formId: form.id, title: "You" });
  const ids: string[] = [];
  for (const [fieldType, label, more] of fields) {
    const body = { stepId: step.id, fieldType, label, ...more };
    ids.push((await site.asOwner("POST", "/api/form-fields", body)).id); // oxlint-disable-line no-await-in-loop
  }
  return { form, step, ids, formId: form.id as string, stepId: step.id as string };
}

/** Takes every form away, with all that hangs on them. */
export async function noForms(site: Executable): Promise<void> {
  const forms = await site.asOwner<{ id: string }[]>("GET", "/api/forms");
  await Promise.all(forms.map(({ id }) => site.asOwner("DELETE", `/api/forms/${id}`)));
}

/** Sends answers as a visitor does, without the page. */
export async function submit(site: Executable, formId: string, data: object): Promise<void> {
  const answer = await fetch(`${site.url}/api/form-submissions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ formId, data, submittedAt: new Date().toISOString() }),
  });
  if (!answer.ok) throw new Error(`Not sent: ${answer.status} ${await answer.text()}`);
}

/** The cells of a downloaded CSV file, which has to begin with a byte order mark. */
export async function readCsv(download: Download): Promise<string[][]> {
  const bytes = await Bun.file(await download.path()).bytes();
  if (Buffer.from(bytes.subarray(0, 3)).toString("hex") !== "efbbbf")
    throw new Error("The file does not begin with a byte order mark.");
  return Papa.parse<string[]>(new TextDecoder().decode(bytes)).data;
}
