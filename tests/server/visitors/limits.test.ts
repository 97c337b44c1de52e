import { entities } from "../../../src/schema/index.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { type TestResponse, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startEnquirySite({ hasLimits: true }));
beforeAll(async () => {
  // The limit grows only when the test says so, however slow the machine is.
  site.stopClock();
  await addForm(site.store);
});

const MINUTE_MS = 60_000;
let sentCount = 0;
/** Different answers each time, since equal answers are stored once. */
const sendEnquiry = (from: string, more: object = {}) => {
  const body = createEnquiry({ ...ANSWERS, town: `Town ${++sentCount}` });
  return site.call("POST", "/api/form-submissions", { ...body, ...more }, { from });
};
const countStored = () => site.store.of(entities.formSubmissions).count();
async function collectStatuses(
  times: number,
  call: () => Promise<TestResponse>,
): Promise<number[]> {
  const codes: number[] = [];
  for (let at = 0; at < times; at++) codes.push((await call()).status);
  return codes;
}

async function createStartProof(): Promise<{ started: string }> {
  const answer = await site.call("GET", "/api/filling-time");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return answer.body as { started: string };
}

describe("limits of the enquiry form", () => {
  test("a visitor without a signed start time can send ten enquiries, and is then refused for some time", async () => {
    const before = await countStored();
    expect(await collectStatuses(10, () => sendEnquiry("198.51.100.1"))).toEqual(
      Array(10).fill(201),
    );
    const refused = await sendEnquiry("198.51.100.1");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
    expect(refused.body).toMatchObject({
      error: "You've sent too many messages. Please wait a moment and try again.",
      code: "too_many_requests",
      requestId: expect.any(String),
    });
    expect(await countStored()).toBe(before + 10);
    expect((await sendEnquiry("198.51.100.2")).status).toBe(201);
    site.advance(MINUTE_MS);
    expect((await sendEnquiry("198.51.100.1")).status).toBe(201);
  });

  test("a visitor with a signed start time can send twenty enquiries", async () => {
    const { started } = await createStartProof();
    site.advance(4000);
    const proven = () => sendEnquiry("198.51.100.3", { started });
    expect(await collectStatuses(20, proven)).toEqual(Array(20).fill(201));
    expect((await proven()).status).toBe(429);
  });

  test("a form filled in within three seconds is refused until they have passed", async () => {
    const before = await countStored();
    const { started } = await createStartProof();
    const quick = await sendEnquiry("198.51.100.4", { started });
    expect(quick.status).toBe(429);
    expect(quick.headers.get("retry-after")).toBe("3");
    expect(await countStored()).toBe(before);
  });

  test("refused enquiries don't use up the limit for stored ones", async () => {
    const wrong = () => sendEnquiry("198.51.100.6", { data: {} });
    expect(await collectStatuses(20, wrong)).toEqual(Array(20).fill(422));
    expect((await sendEnquiry("198.51.100.6")).status).toBe(201);
    expect(await collectStatuses(40, wrong)).toContain(429);
  });

  test("requests with an unreadable body are refused after sixty attempts", async () => {
    const broken = () =>
      site.visitor().call("POST", "/api/form-submissions", "{", {
        "content-type": "application/json",
        "x-forwarded-for": "198.51.100.7",
      });
    const codes = await collectStatuses(61, broken);
    expect(codes).toEqual([...Array(60).fill(400), 429]);
  });

  test("the whole site accepts at most 300 enquiries in a row, whoever sends them", async () => {
    site.advance(60 * MINUTE_MS);
    let accepted = 0;
    for (let at = 0; at < 400; at++)
      if ((await sendEnquiry(`203.0.${at % 200}.1`)).status === 201) accepted++;
    expect(accepted).toBe(300);
  });
});

const subscribe = (from = "192.0.2.9") =>
  site.call("POST", "/api/email-subscriptions", { email: "a@example.com" }, { from });

describe("sixteen IP addresses that send all they can", () => {
  let started: string;
  beforeAll(async () => {
    site.advance(24 * 60 * MINUTE_MS);
    ({ started } = await createStartProof());
    site.advance(4000);
    const twenty = (call: () => Promise<TestResponse>) => Array.from({ length: 20 }, call);
    for (let network = 0; network < 16; network++) {
      const address = `198.18.${network}.1`;
      await Promise.all(twenty(() => sendEnquiry(address, { started })));
      await Promise.all(twenty(() => subscribe(address)));
    }
  });

  test.each([
    ["enquiry form", "/coaching", (address: string) => sendEnquiry(address, { started })],
    ["mailing list", "/", subscribe],
  ])("don't close the %s for visitors who have opened the page", async (_, page, sendFrom) => {
    const [reader, robots] = page === "/" ? ["203.1.1.1", "203.1.2"] : ["203.1.3.1", "203.1.4"];
    expect((await site.call("GET", page, undefined, { from: reader })).status).toBe(200);
    site.advance(5000);
    // Other visitors use up what the whole site's limit has regained.
    for (let at = 0; (await sendFrom(`198.19.${at}.1`)).status === 201; at++);
    const tries = Array.from({ length: 5 }, (_, at) => sendFrom(`${robots}.${at}`));
    const tried = await Promise.all(tries);
    expect(tried.map(({ status }) => status)).toEqual(Array(5).fill(429));
    expect((await sendFrom(reader)).status).toBe(201);
  });
});

test("a visitor can join the mailing list twenty times in a row, and is then refused for some time", async () => {
  site.advance(60 * MINUTE_MS);
  expect(await collectStatuses(20, subscribe)).toEqual(Array(20).fill(201));
  const refused = await subscribe();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
