/** Every incoming text is normalized and loses invisible characters (specification, section 5.3). */
import { describe, expect, test } from "bun:test";
import { checkChange, getClientFields } from "../../../src/schema/entities/check.ts";
import { CONTROL_CHARACTERS_MESSAGE } from "../../../src/schema/core/invisibleCharacters.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { replaceForms } from "../../support/enquiryForm.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { setUpSiteForAll } from "../../support/testSite.ts";

/** Characters that other programs add, and the stored text. */
const SENT_TEXT = "\u200bOne\u2060 \u202aZoe\u0308\u202c\u000btwo\u2028three\ufeff";
const SANITIZED_TEXT = "One Zoë\ntwo\nthree";
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u200b\u2028-\u202e\u2060-\u2069\ufeff]|e\u0308/;

/** Valid values for all kinds of typed fields. */
const SAMPLES = [
  "Words",
  "https://example.com/a",
  "https://youtu.be/dQw4w9WgXcQ",
  "ann@example.com",
  "#00bfff",
  "8px",
  "2028-02-29",
  "2028-02-29T20:00",
  "Europe/Berlin",
  "/uploads/a.jpg",
  "4:05",
];

/** Adds an invisible mark after each letter. */
const insertInvisible = (text: string) => [...text].join("\u200b");

describe("each declared field", () => {
  const fields = allEntities.flatMap((entity) =>
    getClientFields(entity.fields)
      .filter(([, { kind }]) => kind.isHtml === undefined)
      .map(([name, field]) => [`${entity.name}, ${name}`, entity, name, field] as const),
  );

  test("that people type into accepts one of the sample texts", () => {
    expect(fields.length).toBeGreaterThan(150);
    const typed = fields.filter(([, , , { kind }]) => !kind.hasNoInput && kind.name !== "choice");
    const isTried = typed.filter(([, entity, name]) =>
      SAMPLES.some((sample) => checkChange(entity, { [name]: sample }).ok),
    );
    const others = new Set(["toggle", "number"]);
    const left = typed.filter((each) => !isTried.includes(each) && !others.has(each[3].kind.name));
    expect(left.map(([label]) => label)).toEqual([]);
  });

  test.each(fields)("is stored without invisible characters: %s", (_, entity, name) => {
    for (const sample of SAMPLES) {
      const plain = checkChange(entity, { [name]: sample });
      if (plain.ok) expect(checkChange(entity, { [name]: insertInvisible(sample) })).toEqual(plain);
    }
    const read = checkChange(entity, { [name]: SENT_TEXT });
    if (read.ok) expect(JSON.stringify(read.values)).not.toMatch(INVISIBLE);
  });
});

describe("each API call", () => {
  /** Files that read a body's texts unchanged, and what uses them. */
  const AS_SENT: Readonly<Record<string, string>> = {
    "http/body.ts": "the doors that read",
    "content/singletonRoutes.ts": "declared fields",
    "content/routes.ts": "declared fields",
    "newsletter/letterRoutes.ts": "declared fields",
    "newsletter/subscriptions.ts": "harmlessIn",
    "uploads/uploadRoutes.ts": "declared fields",
    "enquiries/enquiries.ts": "checkAnswers",
    "accounts/login.ts": "a browser's signature",
    "notifications/pushRoutes.ts": "a browser's keys",
    "backup/backupContentRoutes.ts": "names of the program",
  };

  test("reads its body through a function that sanitizes texts, or is listed as an exception", async () => {
    const unsanitized: string[] = [];
    for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync("src/server")) {
      if (file.startsWith("cli/")) continue;
      const text = await Bun.file(`src/server/${file}`).text(); // oxlint-disable-line no-await-in-loop
      if (/\breadJson\(request|\breadJson\(context/.test(text)) unsanitized.push(file);
    }
    expect(unsanitized.toSorted()).toEqual(Object.keys(AS_SENT).toSorted());
  });

  const site = setUpSiteForAll(async () => {
    const { site: started, server } = await startMailSite({ hasAddress: true });
    return {
      ...started,
      async stop() {
        await started.stop();
        await server.stop();
      },
    };
  });

  test("stores sanitized text in notes, replies, mail settings and newsletters", async () => {
    const form = await replaceForms(site, [
      { title: "You", fields: [{ label: "Email", fieldType: "email" }] },
    ]);
    const data = { [form.fieldIds["Email"]!]: "ann@example.com" };
    const { body } = await site.visitor().post("/api/form-submissions", { formId: form.id, data });
    const one = `/api/form-submissions/${body.id}`;
    const { notes } = await site.asOwner("POST", `${one}/notes`, { text: SENT_TEXT });
    expect(notes[0].text).toBe(SANITIZED_TEXT);
    const at = ["2099-03-14T20:00"];
    const reply = { subject: SENT_TEXT, text: SENT_TEXT, at, how: "place", where: SENT_TEXT };
    const { replies } = await site.asOwner("POST", `${one}/replies`, reply);
    expect(replies[0]).toMatchObject({ subject: SANITIZED_TEXT, text: SANITIZED_TEXT });
    expect(replies[0].offers[0].where.text).toBe(SANITIZED_TEXT);
    const templates = [{ label: SENT_TEXT, text: SENT_TEXT, withTimes: SENT_TEXT }];
    const mail = { signature: SENT_TEXT, replyTemplates: templates };
    await site.asOwner("POST", "/api/mail", mail);
    const { signature, replyTemplates } = site.store.of(entities.mailSettings).read().value;
    expect(signature).toBe(SANITIZED_TEXT);
    expect(replyTemplates).toEqual([
      { label: SANITIZED_TEXT, text: SANITIZED_TEXT, withTimes: SANITIZED_TEXT },
    ]);
    const words = {
      subject: SENT_TEXT,
      preview: SENT_TEXT,
      buttonText: SENT_TEXT,
      body: `<p>${SENT_TEXT}</p>`,
    };
    const letter = await site.asOwner("POST", "/api/letters", words);
    expect(letter).toMatchObject({
      subject: SANITIZED_TEXT,
      preview: SANITIZED_TEXT,
      buttonText: SANITIZED_TEXT,
    });
    expect(letter.body).toBe("<p>One Zoë<br />two<br />three</p>");
    const texts = { welcomeText: SENT_TEXT, postalAddress: SENT_TEXT };
    expect(await site.asOwner("POST", "/api/letters/settings", texts)).toMatchObject({
      welcomeText: SANITIZED_TEXT,
      postalAddress: SANITIZED_TEXT,
    });
  });

  test("refuses other control characters with a message, and keeps the stored value", async () => {
    const wrong = CONTROL_CHARACTERS_MESSAGE;
    const owner = await site.owner();
    const refused = await owner.post("/api/mail", { signature: "a\u0000b" });
    expect([refused.status, refused.body.fields]).toEqual([422, { signature: wrong }]);
    expect(site.store.of(entities.mailSettings).read().value.signature).toBe(SANITIZED_TEXT);
  });

  test("accepts a username or a search pasted with invisible characters", async () => {
    const username = "\u200bAda\u2060";
    const login = { username, password: "velvet curtain nine" };
    expect((await site.visitor().post("/api/auth/login", login)).status).toBe(200);
    const query = { search: "\u2068ann@example.com\u2069" };
    const [form] = await site.asOwner("GET", "/api/forms");
    const path = `/api/form-submissions/${form.id}/search`;
    expect(await site.asOwner("POST", path, query)).toHaveLength(1);
  });

  test("uses a password exactly as it was typed", async () => {
    const login = { username: "Ada", password: "velvet\u200b curtain nine" };
    expect((await site.visitor().post("/api/auth/login", login)).status).toBe(401);
  });
});
