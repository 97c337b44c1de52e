import { describe, expect, test } from "bun:test";
import type { Subscription } from "../../../src/server/newsletter/subscriptions.ts";
import { startEnquirySite } from "../../support/enquirySite.ts";
import { type TestResponse, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startEnquirySite);

const LIST_PATH = "/api/email-subscriptions";
const subscribe = (body: unknown) => site.call("POST", LIST_PATH, body);
const unsubscribe = (body: unknown) => site.call("POST", `${LIST_PATH}/unsubscribe`, body);
const readList = async (query = "") => {
  const answer = await site.call("GET", `${LIST_PATH}${query}`, undefined, { owner: true });
  return { answer, items: answer.body as Subscription[] };
};
const searchList = async (query: object) => {
  const answer = await site.call("POST", `${LIST_PATH}/search`, query, { owner: true });
  return { answer, items: answer.body as Subscription[] };
};
const findRows = async (email: string) =>
  (await readList()).items.filter((row) => row.email === email);
const toComparable = async (answer: TestResponse) => ({
  status: answer.status,
  body: answer.body,
  headers: [...answer.headers.keys()].sort(),
});

describe("the mailing list", () => {
  test("stores the address that a visitor types, trimmed and in lower case, and the name", async () => {
    const before = Date.now();
    const answer = await subscribe({ email: "  Ann@Example.COM ", name: " Ann " });
    expect([answer.status, answer.body]).toEqual([201, { status: "active" }]);
    const [row] = (await readList()).items;
    expect(row).toMatchObject({
      email: "ann@example.com",
      name: "Ann",
      status: "active",
      source: "website",
      ipAddress: "127.0.0.1",
      userAgent: "Test browser",
    });
    expect(Date.parse(row!.subscribedAt!)).toBeWithin(before, Date.now() + 1);
  });

  test("has one entry for a person who subscribes twice, with the last typed name", async () => {
    await subscribe({ email: "twice@example.com", name: "First" });
    await subscribe({ email: "TWICE@example.com" });
    expect(await findRows("twice@example.com")).toMatchObject([{ name: "First" }]);
    await subscribe({ email: "twice@example.com", name: "Second" });
    expect(await findRows("twice@example.com")).toMatchObject([{ name: "Second" }]);
  });

  test("has twenty entries after twenty people have joined simultaneously, each with two calls", async () => {
    const before = (await readList()).items.length;
    const addresses = Array.from({ length: 20 }, (_, at) => `crowd${at}@example.com`);
    await Promise.all([...addresses, ...addresses].map((email) => subscribe({ email })));
    expect((await readList()).items).toHaveLength(before + 20);
  });

  test("makes the same entry active again when a person leaves and joins again", async () => {
    await subscribe({ email: "back@example.com", name: "Back" });
    const left = await unsubscribe({ email: " BACK@example.com", name: "x" });
    expect([left.status, left.body]).toEqual([200, { status: "unsubscribed" }]);
    const [unsubscribed] = await findRows("back@example.com");
    expect(unsubscribed).toMatchObject({ status: "unsubscribed", name: "Back" });
    await subscribe({ email: "back@example.com" });
    expect(await findRows("back@example.com")).toMatchObject([
      { id: unsubscribed!.id, status: "active", name: "Back" },
    ]);
  });

  test("responds the same to joining and leaving for known and unknown email addresses", async () => {
    await subscribe({ email: "known@example.com" });
    expect(await toComparable(await subscribe({ email: "known@example.com" }))).toEqual(
      await toComparable(await subscribe({ email: "new@example.com" })),
    );
    expect(await toComparable(await unsubscribe({ email: "known@example.com" }))).toEqual(
      await toComparable(await unsubscribe({ email: "nobody@example.com" })),
    );
    expect(await findRows("nobody@example.com")).toEqual([]);
  });

  const email = "a@example.com";
  const NO_ADDRESS = "Enter an email address such as name@example.com.";
  test.each([
    ["no address", {}, "Email is required", ["email"]],
    ["a blank address", { email: "  " }, "Email is required", ["email"]],
    ["no address, null", { email: null }, "Email is required", ["email"]],
    ["a number", { email: 5 }, NO_ADDRESS, ["email"]],
    ["a bad address", { email: "x@" }, NO_ADDRESS, ["email"]],
    ["an endless address", { email: `${"x".repeat(250)}@example.com` }, NO_ADDRESS, ["email"]],
    ["an endless name", { email, name: "x".repeat(121) }, "Use at most 120 characters.", ["name"]],
    ["a name that is no text", { email, name: [] }, "This must be text.", ["name"]],
    ["no object", email, "Send the fields as a JSON object.", []],
  ])("refuses %s and changes nothing", async (_, body, error, fields) => {
    const before = (await readList()).items;
    for (const answer of [await subscribe(body), await unsubscribe(body)]) {
      expect([answer.status, answer.body]).toMatchObject([422, { error, code: "invalid" }]);
      expect(Object.keys(answer.body.fields ?? {})).toEqual(fields);
    }
    expect((await readList()).items).toEqual(before);
  });

  test("ignores fields that a visitor may not set", async () => {
    await subscribe({
      email: "sly@example.com",
      status: "pending",
      source: "x",
      id: "mine",
      role: 1,
    });
    const [row] = await findRows("sly@example.com");
    expect(row).toMatchObject({ status: "active", source: "website" });
    expect(row!.id).not.toBe("mine");
    expect(row).not.toHaveProperty("role");
  });

  test("responds with success to a robot that fills in the hidden field, and changes nothing", async () => {
    await subscribe({ email: "stays@example.com" });
    const joined = await subscribe({ email: "robot@example.com", website: "x" });
    expect([joined.status, joined.body]).toEqual([201, { status: "active" }]);
    const left = await unsubscribe({ email: "stays@example.com", website: "x" });
    expect([left.status, left.body]).toEqual([200, { status: "unsubscribed" }]);
    expect(await findRows("robot@example.com")).toEqual([]);
    expect(await findRows("stays@example.com")).toMatchObject([{ status: "active" }]);
  });
});

describe("the owner", () => {
  test("reads subscriptions newest first, page by page, filtered by status and search", async () => {
    await subscribe({ email: "zz-last@example.com", name: "Zoë Last" });
    const { answer, items } = await readList("?limit=3");
    const total = Number(answer.headers.get("x-total-count"));
    expect(items).toHaveLength(3);
    expect(items[0]!.email).toBe("zz-last@example.com");
    expect((await readList(`?offset=3&limit=1000`)).items).toHaveLength(total - 3);
    const left = (await readList("?status=unsubscribed")).items;
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set(["unsubscribed"]));
    for (const words of ["ZZ-LAST", "zoë"])
      expect((await searchList({ search: words })).items).toHaveLength(1);
    expect((await searchList({ search: "zoë", status: "pending" })).items).toEqual([]);
    expect((await readList("?limit=5000")).answer.status).toBe(422);
  });
});
