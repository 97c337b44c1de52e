import { describe, expect, test } from "bun:test";
import type { Subscription } from "../../../src/server/newsletter/subscriptions.ts";
import { enquirySite } from "../../support/enquirySite.ts";
import { type Answer, siteForAll } from "../../support/testSite.ts";

const site = siteForAll(enquirySite);

const LIST = "/api/email-subscriptions";
const join = (body: unknown) => site.call("POST", LIST, body);
const leave = (body: unknown) => site.call("POST", `${LIST}/unsubscribe`, body);
const list = async (query = "") => {
  const answer = await site.call("GET", `${LIST}${query}`, undefined, { owner: true });
  return { answer, items: answer.body as Subscription[] };
};
const search = async (query: object) => {
  const answer = await site.call("POST", `${LIST}/search`, query, { owner: true });
  return { answer, items: answer.body as Subscription[] };
};
const rowOf = async (email: string) => (await list()).items.filter((row) => row.email === email);
const seen = async (answer: Answer) => ({
  status: answer.status,
  body: answer.body,
  headers: [...answer.headers.keys()].sort(),
});

describe("the mailing list", () => {
  test("a visitor joins with an address, trimmed and in lower case, and a name", async () => {
    const before = Date.now();
    const answer = await join({ email: "  Ann@Example.COM ", name: " Ann " });
    expect([answer.status, answer.body]).toEqual([201, { status: "active" }]);
    const [row] = (await list()).items;
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

  test("subscribing twice is one row, and a name is kept until another is given", async () => {
    await join({ email: "twice@example.com", name: "First" });
    await join({ email: "TWICE@example.com" });
    expect(await rowOf("twice@example.com")).toMatchObject([{ name: "First" }]);
    await join({ email: "twice@example.com", name: "Second" });
    expect(await rowOf("twice@example.com")).toMatchObject([{ name: "Second" }]);
  });

  test("twenty people who join simultaneously are twenty rows, one who clicks often is one", async () => {
    const before = (await list()).items.length;
    const addresses = Array.from({ length: 20 }, (_, at) => `crowd${at}@example.com`);
    await Promise.all([...addresses, ...addresses].map((email) => join({ email })));
    expect((await list()).items).toHaveLength(before + 20);
  });

  test("leaving and joining again makes the row active again", async () => {
    await join({ email: "back@example.com", name: "Back" });
    const left = await leave({ email: " BACK@example.com", name: "x" });
    expect([left.status, left.body]).toEqual([200, { status: "unsubscribed" }]);
    const [unsubscribed] = await rowOf("back@example.com");
    expect(unsubscribed).toMatchObject({ status: "unsubscribed", name: "Back" });
    await join({ email: "back@example.com" });
    expect(await rowOf("back@example.com")).toMatchObject([
      { id: unsubscribed!.id, status: "active", name: "Back" },
    ]);
  });

  test("joining and leaving get the same response for known and unknown addresses", async () => {
    await join({ email: "known@example.com" });
    expect(await seen(await join({ email: "known@example.com" }))).toEqual(
      await seen(await join({ email: "new@example.com" })),
    );
    expect(await seen(await leave({ email: "known@example.com" }))).toEqual(
      await seen(await leave({ email: "nobody@example.com" })),
    );
    expect(await rowOf("nobody@example.com")).toEqual([]);
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
    const before = (await list()).items;
    for (const answer of [await join(body), await leave(body)]) {
      expect([answer.status, answer.body]).toMatchObject([422, { error, code: "invalid" }]);
      expect(Object.keys(answer.body.fields ?? {})).toEqual(fields);
    }
    expect((await list()).items).toEqual(before);
  });

  test("fields that a visitor may not set are ignored", async () => {
    await join({ email: "sly@example.com", status: "pending", source: "x", id: "mine", role: 1 });
    const [row] = await rowOf("sly@example.com");
    expect(row).toMatchObject({ status: "active", source: "website" });
    expect(row!.id).not.toBe("mine");
    expect(row).not.toHaveProperty("role");
  });

  test("a filled honeypot gets the response of a success and changes nothing", async () => {
    await join({ email: "stays@example.com" });
    const joined = await join({ email: "robot@example.com", website: "x" });
    expect([joined.status, joined.body]).toEqual([201, { status: "active" }]);
    const left = await leave({ email: "stays@example.com", website: "x" });
    expect([left.status, left.body]).toEqual([200, { status: "unsubscribed" }]);
    expect(await rowOf("robot@example.com")).toEqual([]);
    expect(await rowOf("stays@example.com")).toMatchObject([{ status: "active" }]);
  });
});

describe("the owner", () => {
  test("reads newest first, page by page, filtered by status and search", async () => {
    await join({ email: "zz-last@example.com", name: "Zoë Last" });
    const { answer, items } = await list("?limit=3");
    const total = Number(answer.headers.get("x-total-count"));
    expect(items).toHaveLength(3);
    expect(items[0]!.email).toBe("zz-last@example.com");
    expect((await list(`?offset=3&limit=1000`)).items).toHaveLength(total - 3);
    const left = (await list("?status=unsubscribed")).items;
    expect(new Set(left.map(({ status }) => status))).toEqual(new Set(["unsubscribed"]));
    for (const words of ["ZZ-LAST", "zoë"])
      expect((await search({ search: words })).items).toHaveLength(1);
    expect((await search({ search: "zoë", status: "pending" })).items).toEqual([]);
    expect((await list("?limit=5000")).answer.status).toBe(422);
  });
});
