/**
 * No stranger's text keeps the process busy: 64 KB of each ASCII character and of some others, and 240 texts that make
 * patterns backtrack, in every field, header, query and path. The routes are the application's own. Their fields,
 * headers and query parameters are learned from what the application reads, so that a new one is tested too.
 *
 * By default each public route gets a quarter of the texts, shared by up to sixteen of its fields, so that four routes
 * get all of them. Its query, whole body, form values and headers get a sixteenth. Paths get one text in 256, each path
 * a different one, and so do routes that need a session, in a dozen fields at once. patterns.test.ts decides for each
 * pattern whether it can be slow. `HOSTILE_TEXTS=all` gives every text to every field.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { allEntities, entities } from "../../src/schema/index.ts";
import { REPORTS_PATH } from "../../src/server/newsletter/bounceReportRoute.ts";
import { EVERY_KIND_STEPS, type CreatedForm, replaceForms } from "../support/enquiryForm.ts";
import {
  createBody,
  findReadFields,
  encodeParameter,
  createRequest,
  type Route,
  type RequestOptions,
  hasBody,
  createTarget,
} from "../support/hostileCalls.ts";
import { REPEATED_PIECES, REPEATED_CHARACTERS, UNICODE_TEXTS } from "../support/hostileTexts.ts";
import { recordReadNames } from "../support/recordReadNames.ts";
import { createTextTimer } from "../support/processorTime.ts";
import { setUpSiteForAll } from "../support/setUpSite.ts";
import { startSite } from "../support/startSite.ts";

const TEXTS = [...REPEATED_CHARACTERS, ...REPEATED_PIECES, ...UNICODE_TEXTS];
const IS_COMPLETE = process.env.HOSTILE_TEXTS === "all";

setDefaultTimeout(IS_COMPLETE ? 3_600_000 : 600_000);
const TEXT_STEP = IS_COMPLETE ? 1 : 256;
/** The number of fields of a public route that share the texts. */
const FIELD_TEXT_STEP = IS_COMPLETE ? 1 : 16;
/** The number of public routes that share the texts. */
const ROUTE_TEXT_STEP = IS_COMPLETE ? 1 : 4;

/** The texts of part `at` of `parts`. */
const selectPart = (at: number, parts: number) =>
  TEXTS.filter((_, each) => each % parts === at % parts);

const site = setUpSiteForAll(() =>
  startSite({
    env: { RATE_LIMIT: "off", MAIL_URL: "postmark://token", MAIL_FROM: "site@example.com" },
  }),
);

let cookie: string;
let reportKey: string;
let form: CreatedForm;

/** Calls the application directly, without a socket. */
const send = async (request: Request) => {
  const response = await site.app.handle(request);
  await response.arrayBuffer();
  return response.status;
};

const { tryTexts, wrong, slowest } = createTextTimer(send);

beforeAll(async () => {
  form = await replaceForms(site, EVERY_KIND_STEPS);
  reportKey = site.store.of(entities.letterSettings).read().value.reportKey;
  cookie = (await site.owner()).cookies();
});

const listRoutes = () =>
  (site.app.routes as Route[]).filter(({ path }) => !EXCLUDED_PATHS.test(path));

/** Two routes that ignore the request: the response for any other path, and the archive of everything. */
const EXCLUDED_PATHS = /\*|^\/api$|^\/api\/export$/;

const isApi = ({ path }: Route) => path.startsWith("/api/");

/** Whether a call is answered without a session. */
async function isPublic(route: Route): Promise<boolean> {
  if (!isApi(route)) return true;
  const body = hasBody(route) ? "{}" : undefined;
  const sending = { body, ...createReportOptions(route) };
  return (await send(createRequest(route, createAddress(route), sending))) !== 401;
}

const createAddress = (route: Route, text?: string) =>
  createTarget(
    { ...route, path: route.path.replace(/reports\/:key$/, `reports/${reportKey}`) },
    text,
  );

/** Reports of bounces are read only with their key. */
const createReportOptions = ({ path }: Route): RequestOptions =>
  path.startsWith(REPORTS_PATH) ? { headers: { authorization: `Bearer ${reportKey}` } } : {};

async function tryRoute(route: Route, number: number): Promise<void> {
  const isOpen = await isPublic(route);
  const share = selectPart(number, TEXT_STEP);
  const part = isOpen ? selectPart(number, FIELD_TEXT_STEP) : share;
  const name = `${route.method} ${route.path}`;
  const baseOptions = isOpen ? createReportOptions(route) : { cookie };
  if (route.path.includes(":")) {
    const sending = { ...baseOptions, body: hasBody(route) ? "{}" : undefined };
    const shape = (text: string) => createRequest(route, createTarget(route, text), sending);
    await tryTexts(`${name}, path`, shape, share);
  }
  if (!hasBody(route)) return tryQuery(route, baseOptions, part);
  if (!isApi(route)) return tryForm(route, share, part);
  const call = (body: string) =>
    createRequest(route, createAddress(route), { ...baseOptions, body });
  await tryTexts(`${name}, body`, call, part);
  if (route.path.startsWith("/api/upload")) await tryFile(route, share);
  for (const base of createBaseBodies(route)) {
    const fields = await findReadFields((body) => send(call(body)), base);
    const groups = isOpen
      ? fields.map((each) => [each])
      : [
          ...splitIntoDozens(fields),
          ...fields.filter((each) => RICH_TEXT_FIELDS.has(each)).map((each) => [each]),
        ];
    const parts = Math.min(FIELD_TEXT_STEP, groups.length);
    for (const [at, group] of groups.entries())
      await tryTexts(
        `${name}, ${group.join(" ")}`,
        (text) => call(createBody(group, text, base)),
        isOpen ? selectPart(at + parts * number, parts * ROUTE_TEXT_STEP) : share,
      );
  }
}

/** Rich text is sanitized only if everything else is valid. */
const RICH_TEXT_FIELDS = new Set(
  allEntities.flatMap(({ fields }) =>
    Object.keys(fields).filter((name) => fields[name].input === "richText"),
  ),
);

/** The rest of a valid body, for routes that would refuse a text alone before reading it. */
function createBaseBodies({ path }: Route): object[] {
  const answers = Object.fromEntries(Object.values(form.fieldIds).map((id) => [id, ""]));
  if (path === "/api/form-submissions") return [{ formId: form.id, data: answers }];
  if (path === "/api/mail")
    return ["smtp", "mailgun", "ses"].map((kind) => ({ account: { kind } }));
  if (path.startsWith("/api/letters/:id")) return [{ audience: { kind: "since", since: "" } }];
  return [{}];
}

/** Groups of twelve, the most fields that a request of the dashboard has. */
const splitIntoDozens = (all: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / 12) }, (_, at) => all.slice(at * 12, at * 12 + 12));

async function tryQuery(
  route: Route,
  baseOptions: RequestOptions,
  share: readonly string[],
): Promise<void> {
  const at = createTarget(route);
  const { query } = await recordReadNames(() =>
    send(createRequest(route, `${at}?a=b`, baseOptions)),
  );
  const addressWith = (text: string) =>
    `${at}?${["a", ...query].map((name) => `${name}=${encodeParameter(text)}`).join("&")}`;
  await tryTexts(
    `${route.method} ${route.path}, query`,
    (text) => createRequest(route, addressWith(text), baseOptions),
    share,
  );
}

/** Forms of pages, with the text as one value, as every value, and as a name. */
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
      (text) =>
        createRequest(route, createTarget(route), { body: bodyOf(encodeParameter(text)), type }),
      position === "value" ? values : share,
    );
}

/** A file with the text as its file name, the name of its part, the part's header, its content, and the whole body. */
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
      (text) => createRequest(route, createTarget(route), { body: bodyOf(text), type, cookie }),
      share,
    );
}

const isLoggedIn = async () =>
  (await send(createRequest({ method: "GET", path: "" }, "/api/auth/me", { cookie }))) === 200;

test("no request with a hostile text in a field, query or path takes 50 ms of processor time", async () => {
  const all = listRoutes();
  for (const [at, route] of all.entries()) {
    await tryRoute(route, at);
    // Some calls end the session.
    if (!(await isLoggedIn())) cookie = (await site.logInAsOwner()).cookies();
  }
  if (IS_COMPLETE) console.log(slowest.toSorted(([a], [b]) => b - a).slice(0, 20));
  expect(wrong).toEqual([]);
  expect(all.length).toBeGreaterThan(100);
});

/** The characters allowed in a header; Bun accepts 16 KB of them. */
const HEADER_TEXTS = TEXTS.map((text) => text.slice(0, 16_000)).filter((text) =>
  /^[\u0021-\u007e\u00a0-\u00ff][\u0020-\u007e\u00a0-\u00ff]*$/.test(text),
);

test("no request with a hostile text in a header takes 50 ms of processor time", async () => {
  const calls: [string, RequestOptions][] = [
    ["GET /", {}],
    ["GET /api/hero", {}],
    ["GET /api/letters", { cookie }],
    ["POST /api/email-subscriptions", { body: "{}" }],
    ["POST /api/hero", { body: '{"mainTitle":""}', cookie }],
  ];
  for (const [name, sending] of calls) {
    const [method = "", path = ""] = name.split(" ");
    const route = { method, path };
    const { headers } = await recordReadNames(() => send(createRequest(route, path, sending)));
    expect(headers.size).toBeGreaterThan(5);
    const unread = ["cookie", "authorization", "forwarded", "x-forwarded-for"];
    for (const [at, header] of [...new Set([...headers, ...unread])].entries())
      await tryTexts(
        `${name}, ${header}`,
        (text) => createRequest(route, path, { ...sending, headers: { [header]: text } }),
        HEADER_TEXTS.filter((_, each) => each % FIELD_TEXT_STEP === at % FIELD_TEXT_STEP),
      );
  }
  expect(wrong).toEqual([]);
});
