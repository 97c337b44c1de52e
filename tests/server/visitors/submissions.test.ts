import { beforeAll, describe, expect, test } from "bun:test";
import { addForm, ANSWERS, enquiry, enquirySite } from "../../support/enquirySite.ts";
import { siteForAll } from "../../support/siteForAll.ts";

const site = siteForAll(enquirySite);
beforeAll(() => addForm(site.store));

const without = (name: keyof typeof ANSWERS) => ({ ...ANSWERS, [name]: " " });
const postRaw = (body: string, type: string) =>
  site.visitor().post("/api/form-submissions", body, { "content-type": type });
const total = async () => (await site.list()).answer.headers.get("x-total-count");

describe("POST /api/form-submissions", () => {
  test("stores the answers with each question as it was asked, by the server's clock", async () => {
    const before = Date.now();
    const answer = await site.send(enquiry({ ...ANSWERS, goals: ["Rest"], age: " 30 ", town: "" }));
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
    expect(JSON.parse(stored!.submissionData)).toEqual({
      ...ANSWERS,
      goals: ["Rest"],
      age: "30",
    });
    expect(stored!.questions).toEqual([
      { id: "name", label: "Full name", type: "text", answer: "Ann Example" },
      { id: "email", label: "E-mail", type: "email", answer: "ann@example.com" },
      { id: "goals", label: "Goals", type: "checkbox", answer: ["Rest"] },
      { id: "age", label: "Age", type: "number", answer: "30" },
      { id: "story", label: "Story", type: "textarea", answer: "I want to sing." },
    ]);
  });

  const REFUSED: [string, unknown, number, string, string[]][] = [
    ["no JSON object", [], 422, "Send the fields as a JSON object.", []],
    ["no formId", { data: {} }, 422, "Say which form this is for (formId).", ["formId"]],
    ["no data", { formId: "form" }, 422, "Send the answers by field id (data).", ["data"]],
    [
      "an unknown form",
      { ...enquiry(), formId: "nope" },
      404,
      "This form isn't taking answers at the moment.",
      [],
    ],
    [
      "an inactive form",
      { ...enquiry(), formId: "closed" },
      404,
      "This form isn't taking answers at the moment.",
      [],
    ],
    ["a missing answer", enquiry(without("story")), 422, "Story is required", ["story"]],
    [
      "two missing answers: the first in the order asked",
      enquiry({ town: "x" }),
      422,
      "Full name is required",
      ["name", "story"],
    ],
    [
      "a missing and a wrong answer: the missing one first",
      enquiry({ ...without("story"), email: "nobody" }),
      422,
      "Story is required",
      ["story", "email"],
    ],
    [
      "an e-mail address that is none",
      enquiry({ ...ANSWERS, email: "nobody" }),
      422,
      "Enter an email address such as name@example.com.",
      ["email"],
    ],
    [
      "an option that is not offered",
      enquiry({ ...ANSWERS, goals: ["Fly"] }),
      422,
      "Choose from the options.",
      ["goals"],
    ],
    [
      "a country that is not in the list",
      enquiry({ ...ANSWERS, country: "Atlantis" }),
      422,
      "Choose a country from the list.",
      ["country"],
    ],
    [
      "a phone number without a prefix of the list",
      enquiry({ ...ANSWERS, phone: "+000 123456" }),
      422,
      "Choose a country code and enter a phone number.",
      ["phone"],
    ],
    [
      "a number that is none",
      enquiry({ ...ANSWERS, age: "old" }),
      422,
      "Enter a number such as 12 or 3.5.",
      ["age"],
    ],
    [
      "an answer that is too long",
      enquiry({ ...ANSWERS, story: "x".repeat(5001) }),
      422,
      "Use at most 5,000 characters.",
      ["story"],
    ],
    ...["hidden", "asleep", "stranger"].map((id): [string, unknown, number, string, string[]] => [
      `an answer to ${id}, which is not asked`,
      enquiry({ ...ANSWERS, [id]: "x" }),
      422,
      "This form has changed since you opened it. Reload the page to see it.",
      [""],
    ]),
  ];
  test.each(REFUSED)("refuses %s and stores nothing", async (_, body, status, error, fields) => {
    const before = await total();
    const answer = await site.send(body);
    expect(answer.status).toBe(status);
    const refusal = answer.body as { error: string; fields?: object };
    expect(refusal.error).toBe(error);
    expect(Object.keys(refusal.fields ?? {})).toEqual(fields);
    expect(await total()).toBe(before);
  });

  test("refuses a body that is too large, no JSON or of another type", async () => {
    const before = await total();
    const large = JSON.stringify(enquiry({ ...ANSWERS, story: "x".repeat(200_000) }));
    expect((await postRaw(large, "application/json")).status).toBe(413);
    expect((await postRaw("{", "application/json")).status).toBe(400);
    expect((await postRaw("formId=form", "application/x-www-form-urlencoded")).status).toBe(415);
    expect(
      (await postRaw('{"formId":"form","data":{"__proto__":{}}}', "application/json")).status,
    ).toBe(400);
    expect(await total()).toBe(before);
  });

  test("a filled honeypot is answered as a success and stores nothing", async () => {
    const before = await total();
    const answer = await site.send({ ...enquiry(), website: "https://spam.test" });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body as object)).toEqual(["id"]);
    expect(await total()).toBe(before);
  });

  test("a visitor's clock that makes no sense is left out", async () => {
    for (const submittedAt of [undefined, 5, "yesterday"]) {
      expect((await site.send({ ...enquiry(), submittedAt })).status).toBe(201);
      expect((await site.list("?limit=1")).items[0]!.submittedAt).toBeNull();
    }
  });
});
