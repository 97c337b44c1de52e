import { beforeAll, describe, expect, test } from "bun:test";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { formatRefusal, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startEnquirySite);
beforeAll(() => addForm(site.store));

const omitAnswer = (name: keyof typeof ANSWERS) => ({ ...ANSWERS, [name]: " " });
const postRaw = (body: string, type: string) =>
  site.visitor().post("/api/form-submissions", body, { "content-type": type });
const fetchTotal = async () => (await site.list()).response.headers.get("x-total-count");

describe("POST /api/form-submissions", () => {
  test("stores the answers with each question as it was asked, and the time by the server's clock", async () => {
    const before = Date.now();
    const answer = await site.send(
      createEnquiry({ ...ANSWERS, goals: ["Rest"], age: " 30 ", town: "" }),
    );
    expect(answer.status).toBe(201);
    const { id } = answer.body as { id: string };
    const [stored] = (await site.list()).items;
    expect(stored).toMatchObject({
      id,
      formId: "form",
      status: "new",
      submittedAt: "2026-11-20T10:00:00.000Z",
      ipAddress: "127.0.0.1",
      userAgent: "Test browser",
    });
    expect(Date.parse(stored!.createdAt!)).toBeWithin(before, Date.now() + 1);
    expect(JSON.parse(stored!.submissionData)).toEqual({ ...ANSWERS, goals: ["Rest"], age: "30" });
    expect(stored!.questions).toEqual([
      { id: "name", label: "Full name", type: "text", answer: "Ann Example" },
      { id: "email", label: "E-mail", type: "email", answer: "ann@example.com" },
      { id: "goals", label: "Goals", type: "checkbox", answer: ["Rest"] },
      { id: "age", label: "Age", type: "number", answer: "30" },
      { id: "story", label: "Story", type: "textarea", answer: "I want to sing." },
    ]);
  });

  const CLOSED = "404 This form is currently closed.";
  const CHANGED = "422 This form has changed since you opened it. Reload the page to see it.";
  const TWO_PROBLEMS = { ...omitAnswer("story"), email: "nobody" };
  // schema/answers.test.ts has the answers of each kind.
  test.each<[string, unknown, string, string[]]>([
    ["no JSON object", [], "422 Send the fields as a JSON object.", []],
    ["no formId", { data: {} }, "422 Specify which form this is for (formId).", ["formId"]],
    ["no data", { formId: "form" }, "422 Send the answers by field id (data).", ["data"]],
    ["an unknown form", { ...createEnquiry(), formId: "nope" }, CLOSED, []],
    ["an inactive form", { ...createEnquiry(), formId: "closed" }, CLOSED, []],
    ["a missing answer", createEnquiry(omitAnswer("story")), "422 Story is required", ["story"]],
    [
      "a missing and a wrong answer",
      createEnquiry(TWO_PROBLEMS),
      "422 Story is required",
      ["story", "email"],
    ],
    ...["hidden", "asleep", "stranger"].map((id): [string, unknown, string, string[]] => [
      `an answer to ${id}, which is not asked`,
      createEnquiry({ ...ANSWERS, [id]: "x" }),
      CHANGED,
      [""],
    ]),
  ])("refuses %s and stores nothing", async (_, body, words, fields) => {
    const before = await fetchTotal();
    const answer = await site.send(body);
    expect(formatRefusal(answer)).toBe(words);
    expect(Object.keys(answer.body.fields ?? {})).toEqual(fields);
    expect(await fetchTotal()).toBe(before);
  });

  test("refuses a body that is too large, isn't JSON or has another type", async () => {
    const before = await fetchTotal();
    const large = JSON.stringify(createEnquiry({ ...ANSWERS, story: "x".repeat(200_000) }));
    expect((await postRaw(large, "application/json")).status).toBe(413);
    expect((await postRaw("{", "application/json")).status).toBe(400);
    expect((await postRaw("formId=form", "application/x-www-form-urlencoded")).status).toBe(415);
    expect(await fetchTotal()).toBe(before);
  });

  test("responds with success to a filled honeypot, and stores nothing", async () => {
    const before = await fetchTotal();
    const answer = await site.send({ ...createEnquiry(), website: "https://spam.test" });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body as object)).toEqual(["id"]);
    expect(await fetchTotal()).toBe(before);
  });

  test("doesn't store an implausible time of the visitor's clock", async () => {
    for (const submittedAt of [undefined, 5, "yesterday"]) {
      expect((await site.send({ ...createEnquiry(), submittedAt })).status).toBe(201);
      expect((await site.list("?limit=1")).items[0]!.submittedAt).toBeNull();
    }
  });
});
