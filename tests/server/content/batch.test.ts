/** Several sections saved in one call: all of them or none (specification, section 7.1). */
import { beforeEach, expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { entities } from "../../../src/schema/index.ts";
import { toEntityName } from "../../../src/schema/entities/entity.ts";
import { createEtag } from "../../../src/server/http/conditionalRequests.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);

const KEYS = ["styles", "pressSettings", "connectSettings"] as const;
const NAMES = KEYS.map(toEntityName);

beforeEach(async () => {
  for (const key of KEYS)
    await owner.post(`/api/${toEntityName(key)}`, getInitialValues(entities[key].fields));
});

const saveBatch = (...changes: unknown[]) => owner.post("/api/batch", { changes });
const createAccentChange = (name: string, accentColor: unknown, etag?: string) => ({
  name,
  values: { accentColor },
  ...(etag && { etag }),
});
const readStored = async (name: string) => (await owner.get(`/api/${name}`)).body;
const readAccents = () =>
  Promise.all(NAMES.map(async (name) => (await readStored(name)).accentColor));

test("a batch merges each change into the stored value, and returns the new values in order", async () => {
  const before = await Promise.all(NAMES.map(readStored));
  const { status, body } = await saveBatch(
    ...NAMES.map((name) => createAccentChange(name, "#123456")),
  );
  expect(status).toBe(200);
  const after = await Promise.all(NAMES.map(readStored));
  expect(after).toEqual(before.map((value) => ({ ...value, accentColor: "#123456" })));
  expect(body).toEqual(
    NAMES.map((name, at) => ({
      name,
      value: after[at],
      etag: createEtag(after[at]),
      previousEtag: createEtag(before[at]),
    })),
  );
  const { headers } = await owner.get("/api/styles");
  expect(headers.get("etag")).toBe(body[0].etag);
});

test("a batch is sanitized and recorded in history and audit log, like single saves", async () => {
  const description = '<p onclick="x()">Hello</p><script>x()</script>';
  const styles = { name: "styles", values: { bodySize: "large" } };
  await saveBatch(styles, { name: "connect-settings", values: { description } });
  expect((await readStored("connect-settings")).description).toBe("<p>Hello</p>");
  const latest = async (name: string) => (await owner.get(`/api/history/${name}`)).body[0].changes;
  expect(await latest("styles")).toEqual([expect.stringContaining("Body Size")]);
  expect(await latest("connect-settings")).toEqual([expect.stringContaining("Description Text")]);
  await site.waitForAuditLog();
  const { body: log } = await owner.get("/api/audit-log");
  const noted = log.map(({ what }: { what: string }) => what);
  expect(noted).toContain(`changed ${entities.connectSettings.section}: Description Text`);
  expect(noted).toContain(`changed ${entities.styles.section}: Body Size`);
});

test("a batch is refused completely if one ETag is outdated, and the current value is returned", async () => {
  const etags = await Promise.all(NAMES.map(async (name) => createEtag(await readStored(name))));
  await owner.post("/api/press-settings", { accentColor: "#111111" });
  const before = site.readStored();
  const { status, body, headers } = await saveBatch(
    ...NAMES.map((name, at) => createAccentChange(name, "#123456", etags[at])),
  );
  const current = await readStored("press-settings");
  expect(status).toBe(412);
  expect(body).toMatchObject({ code: "changed_elsewhere", name: "press-settings", current });
  expect(headers.get("etag")).toBe(createEtag(current));
  expect(site.readStored()).toBe(before);
});

test("a batch with current ETags is accepted, even if a proxy has weakened the ETags", async () => {
  const changes = await Promise.all(
    NAMES.map(async (name) =>
      createAccentChange(name, "#123456", `W/${createEtag(await readStored(name))}`),
    ),
  );
  expect((await saveBatch(...changes)).status).toBe(200);
});

const LONG_TEXT = "x".repeat(200_001);
const SHAPE_MESSAGE = "Send changes: a list of {name, values, etag}.";
const UNKNOWN_MESSAGE = "Only sections and settings can be saved together, each by its name.";
const TWICE_MESSAGE = "A section is listed twice. List each section once.";

test.each([
  [
    "a color that is none",
    createAccentChange("press-settings", "url(x)"),
    "Enter a color such as #00BFFF.",
  ],
  ["no values", { name: "press-settings", values: null }, undefined],
  [
    "a text that is too long",
    { name: "about", values: { content: LONG_TEXT } },
    "This text is too long. The limit is 200 KB, including images.",
  ],
  ["a list", { name: "statistics", values: {} }, UNKNOWN_MESSAGE],
  ["records", { name: "form-submissions", values: {} }, UNKNOWN_MESSAGE],
  ["private settings", { name: "login-rules", values: { secondFactor: true } }, UNKNOWN_MESSAGE],
  ["an unknown entity", { name: "constructor", values: {} }, UNKNOWN_MESSAGE],
  ["the first entity again", createAccentChange("styles", "#654321"), TWICE_MESSAGE],
])("a batch that includes %s is refused completely", async (_, refused, words) => {
  const before = site.readStored();
  const { status, body } = await saveBatch(createAccentChange("styles", "#123456"), refused);
  expect([status, body.code, body.name]).toEqual([422, "invalid", refused.name]);
  if (words) expect(body.error).toBe(words);
  expect(site.readStored()).toBe(before);
});

test.each([
  ["nothing", undefined],
  ["no list", { changes: "styles" }],
  ["an empty list", { changes: [] }],
  ["no names", { changes: [{ values: {} }] }],
  ["another shape of ETag", { changes: [{ name: "styles", values: {}, etag: 7 }] }],
])("a batch with %s instead of changes is refused", async (_, body) => {
  const before = site.readStored();
  const answer = await owner.post("/api/batch", body ?? {});
  expect([answer.status, answer.body.error]).toEqual([422, SHAPE_MESSAGE]);
  expect(site.readStored()).toBe(before);
});

test("an editor's batch is saved if it has only content, and refused if it includes site settings", async () => {
  const editor = await site.logInAs("editor");
  const content = createAccentChange("styles", "#123456");
  expect((await editor.post("/api/batch", { changes: [content] })).status).toBe(200);
  const before = site.readStored();
  const settings = { name: "site", values: { name: "Mine" } };
  const changes = [createAccentChange("styles", "#654321"), settings];
  const { status, body } = await editor.post("/api/batch", { changes });
  expect([status, body.code, body.name]).toEqual([403, "not_allowed", "site"]);
  expect(site.readStored()).toBe(before);
});

test("of two simultaneous batches with the same ETags, one is stored completely and the other is refused", async () => {
  const etags = await Promise.all(NAMES.map(async (name) => createEtag(await readStored(name))));
  const send = (color: string, at: readonly number[]) =>
    saveBatch(...at.map((each) => createAccentChange(NAMES[each]!, color, etags[each])));
  const [one, two] = await Promise.all([send("#111111", [0, 1, 2]), send("#222222", [2, 1, 0])]);
  expect([one.status, two.status].toSorted()).toEqual([200, 412]);
  expect(new Set(await readAccents()).size).toBe(1);
});
