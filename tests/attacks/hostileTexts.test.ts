/**
 * No text of a stranger keeps the process busy: 64 KB of each sign of ASCII and of some others, and 240 more that make
 * patterns look again and again, in every field, header, query and path. The routes are the application's own, and which
 * fields, headers and parts of a query there are is learned from what it asks for, so that a new one is tried as well.
 *
 * By default each public route gets a quarter of the texts, shared by up to sixteen of its fields, so that four routes
 * get them all; a sixteenth is its query, its whole body or a value of a page's form. Headers, paths and the other
 * routes, which need a session, get one of sixty-four, each another one, the latter in a dozen fields at once. That no
 * pattern is slow is decided of each pattern (patterns.test.ts). `HOSTILE_TEXTS=all` gives every text to every field.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { allEntities, entities } from "../../src/schema/index.ts";
import { REPORTS_PATH } from "../../src/server/newsletter/bounceReportRoute.ts";
import { EVERY_KIND, type MadeForm, onlyForm } from "../support/enquiryForm.ts";
import {
  bodyWith,
  fieldsRead,
  inAddress,
  requestTo,
  type Route,
  type Sending,
  hasBody,
  targetOf,
} from "../support/hostileCalls.ts";
import { PUMPED, SIGNS, UNICODE } from "../support/hostileTexts.ts";
import { namesRead } from "../support/namesRead.ts";
import { processorTime } from "../support/processorTime.ts";
import { siteForAll } from "../support/siteForAll.ts";
import { startSite } from "../support/startSite.ts";

const TEXTS = [...SIGNS, ...PUMPED, ...UNICODE];
const ALL = process.env.HOSTILE_TEXTS === "all";

setDefaultTimeout(ALL ? 3_600_000 : 600_000);
const SHARE = ALL ? 1 : 64;
/** The number of fields of a public route that share the texts. */
const SHARING = ALL ? 1 : 16;
/** The number of public routes that share the texts. */
const ROUTES_SHARING = ALL ? 1 : 4;

/** The texts of one of `parts`. */
const partOf = (at: number, parts: number) =>
  TEXTS.filter((_, each) => each % parts === at % parts);

const site = siteForAll(() =>
  startSite({
    env: { RATE_LIMIT: "off", MAIL_URL: "postmark://token", MAIL_FROM: "site@example.com" },
  }),
);

let cookie: string;
let reportKey: string;
let form: MadeForm;

/** Calls the application directly, without a socket. */
const send = async (request: Request) => {
  const response = await site.app.handle(request);
  await response.arrayBuffer();
  return response.status;
};

const { tryTexts, wrong, slowest } = processorTime(send);

beforeAll(async () => {
  form = await onlyForm(site, EVERY_KIND);
  reportKey = site.store.of(entities.letterSettings).read().value.reportKey;
  cookie = (await site.owner()).cookies();
});

const routes = () => (site.app.routes as Route[]).filter(({ path }) => !NOT_TRIED.test(path));

/** Not tried: the response for any other path, and the archive of everything, which ignore the request. */
const NOT_TRIED = /\*|^\/api$|^\/api\/export$/;

const isApi = ({ path }: Route) => path.startsWith("/api/");

/** Whether a call is answered without a session. */
async function isPublic(route: Route): Promise<boolean> {
  if (!isApi(route)) return true;
  const body = hasBody(route) ? "{}" : undefined;
  const sending = { body, ...forReports(route) };
  return (await send(requestTo(route, addressOf(route), sending))) !== 401;
}

const addressOf = (route: Route, text?: string) =>
  targetOf({ ...route, path: route.path.replace(/reports\/:key$/, `reports/${reportKey}`) }, text);

/** Reports are read only with their key. */
const forReports = ({ path }: Route): Sending =>
  path.startsWith(REPORTS_PATH) ? { headers: { authorization: `Bearer ${reportKey}` } } : {};

async function tryRoute(route: Route, number: number): Promise<void> {
  const isOpen = await isPublic(route);
  const share = partOf(number, SHARE);
  const part = isOpen ? partOf(number, SHARING) : share;
  const name = `${route.method} ${route.path}`;
  const baseOptions = isOpen ? forReports(route) : { cookie };
  if (route.path.includes(":")) {
    const sending = { ...baseOptions, body: hasBody(route) ? "{}" : undefined };
    const shape = (text: string) => requestTo(route, targetOf(route, text), sending);
    await tryTexts(`${name}, path`, shape, share);
  }
  if (!hasBody(route)) return tryQuery(route, baseOptions, part);
  if (!isApi(route)) return tryForm(route, share, part);
  const call = (body: string) => requestTo(route, addressOf(route), { ...baseOptions, body });
  await tryTexts(`${name}, body`, call, part);
  if (route.path.startsWith("/api/upload")) await tryFile(route, share);
  for (const base of basesOf(route)) {
    const fields = await fieldsRead((body) => send(call(body)), base);
    const groups = isOpen
      ? fields.map((each) => [each])
      : [...inDozens(fields), ...fields.filter((each) => RICH.has(each)).map((each) => [each])];
    const parts = Math.min(SHARING, groups.length);
    for (const [at, group] of groups.entries())
      await tryTexts(
        `${name}, ${group.join(" ")}`,
        (text) => call(bodyWith(group, text, base)),
        isOpen ? partOf(at + parts * number, parts * ROUTES_SHARING) : share,
      );
  }
}

/** Rich text is sanitized only if everything else is valid. */
const RICH = new Set(
  allEntities.flatMap(({ fields }) =>
    Object.keys(fields).filter((name) => fields[name].input === "richText"),
  ),
);

/** The rest of a valid body, where a text alone would be refused before it is read. */
function basesOf({ path }: Route): object[] {
  const answers = Object.fromEntries(Object.values(form.fieldIds).map((id) => [id, ""]));
  if (path === "/api/form-submissions") return [{ formId: form.id, data: answers }];
  if (path === "/api/mail")
    return ["smtp", "mailgun", "ses"].map((kind) => ({ account: { kind } }));
  if (path.startsWith("/api/letters/:id")) return [{ audience: { kind: "since", since: "" } }];
  return [{}];
}

/** As many fields at once as a request of the dashboard can have. */
const inDozens = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / 12) }, (_, at) => all.slice(at * 12, at * 12 + 12));

async function tryQuery(
  route: Route,
  baseOptions: Sending,
  share: readonly string[],
): Promise<void> {
  const at = targetOf(route);
  const { query } = await namesRead(() => send(requestTo(route, `${at}?a=b`, baseOptions)));
  const addressWith = (text: string) =>
    `${at}?${["a", ...query].map((name) => `${name}=${inAddress(text)}`).join("&")}`;
  await tryTexts(
    `${route.method} ${route.path}, query`,
    (text) => requestTo(route, addressWith(text), baseOptions),
    share,
  );
}

/** Forms of pages: a text as a value, as several, and as a name. */
async function tryForm(
  route: Route,
  share: readonly string[],
  values: readonly string[],
): Promise<void> {
  const names = ["step", "website", "started", ...Object.values(form.fieldIds)];
  const type = "application/x-www-form-urlencoded";
  const shapes: Record<string, (text: string) => string> = {
    value: (text) => `formId=${form.id}&${names.at(-1)}=${text}`,
    values: (text) => names.map((each) => `${each}=${text.slice(0, 4000)}`).join("&"),
    name: (text) => `${text}=1`,
  };
  for (const [position, bodyOf] of Object.entries(shapes))
    await tryTexts(
      `${route.method} ${route.path}, ${position}`,
      (text) => requestTo(route, targetOf(route), { body: bodyOf(inAddress(text)), type }),
      position === "value" ? values : share,
    );
}

/** A file with a text for its name, for the name of its part, as its content, as its only content, and alone. */
async function tryFile(route: Route, share: readonly string[]): Promise<void> {
  const type = "multipart/form-data; boundary=b";
  const part = (inside: string, held = "x") =>
    `--b\r\nContent-Disposition: form-data; ${inside}\r\nContent-Type: image/png\r\n\r\n${held}\r\n--b--\r\n`;
  const shapes: Record<string, (text: string) => string> = {
    filename: (text) => part(`name="file"; filename="${text}"`),
    name: (text) => part(`name="${text}"; filename="a.png"`),
    disposition: (text) => part(text),
    held: (text) => part('name="file"; filename="a.png"', text),
    bare: (text) => text,
  };
  for (const [position, bodyOf] of Object.entries(shapes))
    await tryTexts(
      `${route.method} ${route.path}, ${position}`,
      (text) => requestTo(route, targetOf(route), { body: bodyOf(text), type, cookie }),
      share,
    );
}

const isLoggedIn = async () =>
  (await send(requestTo({ method: "GET", path: "" }, "/api/auth/me", { cookie }))) === 200;

test("no text in a field, query or path of any route takes 50 ms of the processor", async () => {
  const all = routes();
  for (const [at, route] of all.entries()) {
    await tryRoute(route, at);
    // Some calls end the session.
    if (!(await isLoggedIn())) cookie = (await site.loginAsOwner()).cookies();
  }
  if (ALL) console.log(slowest.toSorted(([a], [b]) => b - a).slice(0, 20));
  expect(wrong).toEqual([]);
  expect(all.length).toBeGreaterThan(100);
});

/** The characters allowed in a header; Bun accepts 16 KB of them. */
const IN_HEADERS = TEXTS.map((text) => text.slice(0, 16_000)).filter((text) =>
  /^[\u0021-\u007e\u00a0-\u00ff][\u0020-\u007e\u00a0-\u00ff]*$/.test(text),
);

test("no text in a header that the program reads takes 50 ms of the processor", async () => {
  const calls: [string, Sending][] = [
    ["GET /", {}],
    ["GET /api/hero", {}],
    ["GET /api/letters", { cookie }],
    ["POST /api/email-subscriptions", { body: "{}" }],
    ["POST /api/hero", { body: '{"mainTitle":""}', cookie }],
  ];
  for (const [name, sending] of calls) {
    const [method = "", path = ""] = name.split(" ");
    const route = { method, path };
    const { headers } = await namesRead(() => send(requestTo(route, path, sending)));
    expect(headers.size).toBeGreaterThan(5);
    const unread = ["cookie", "authorization", "forwarded", "x-forwarded-for"];
    for (const [at, header] of [...new Set([...headers, ...unread])].entries())
      await tryTexts(
        `${name}, ${header}`,
        (text) => requestTo(route, path, { ...sending, headers: { [header]: text } }),
        IN_HEADERS.filter((_, each) => each % SHARE === at % SHARE),
      );
  }
  expect(wrong).toEqual([]);
});
