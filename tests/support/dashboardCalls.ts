/** Makes the dashboard's own calls without a browser: its code runs in the test, with the owner's session. */
import { afterAll, afterEach, beforeAll } from "bun:test";
import { queryClient } from "../../src/web/admin/data/client.ts";
import { drafts } from "../../src/web/admin/data/drafts.ts";
import type { RecordedWrite } from "./dashboard.ts";
import type { Callers } from "./site.ts";

/** Prepares calls for all tests of a file. Clears the dashboard's memory after each test. */
export function setUpDashboardCalls(site: Pick<Callers, "owner"> & { readonly url: string }) {
  const realFetch = globalThis.fetch;
  const writes: RecordedWrite[] = [];
  let isCut = false;
  let isObstructed = false;
  // The dashboard's calls begin with a slash and carry the browser's cookies.
  beforeAll(async () => {
    const cookie = (await site.owner()).cookies();
    const fetchAsDashboard = async (path: string, { headers, ...init }: RequestInit = {}) => {
      if (!path.startsWith("/")) return realFetch(path, { ...init, ...(headers && { headers }) });
      if (init.method !== "GET")
        writes.push({ call: `${init.method} ${path}`, body: parseBody(init.body) });
      if (isCut) throw new TypeError("Failed to fetch");
      if (isObstructed) return new Response("<html>Bad Gateway</html>", { status: 502 });
      return realFetch(site.url + path, {
        ...init,
        headers: { ...(headers as Record<string, string>), cookie },
      });
    };
    globalThis.fetch = Object.assign(fetchAsDashboard, {
      preconnect: realFetch.preconnect,
    }) as typeof fetch;
  });
  afterAll(() => void (globalThis.fetch = realFetch));
  afterEach(() => {
    isCut = false;
    isObstructed = false;
    writes.length = 0;
    drafts.value = {};
    queryClient.clear();
  });
  return {
    /** The writes of a test, in order. */
    writes,
    /** Prevents all calls from reaching the site, until the end of the test. */
    cut: () => void (isCut = true),
    /** From now on, something in front of the site, such as a proxy, responds without a message. */
    obstruct: () => void (isObstructed = true),
    reset: () => void ([isCut, isObstructed] = [false, false]),
  };
}

const parseBody = (body: unknown): unknown => (typeof body === "string" ? JSON.parse(body) : null);
