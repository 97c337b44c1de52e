/** A reply is stored with its enquiry, looks like a person's, and is erased with the person. */
import { afterEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import type { MailServer } from "../../support/mailServer.ts";
import { startMailSite } from "../../support/mailSite.ts";
import { waitForValue, OWNER, type Site } from "../../support/testSite.ts";

let site: Site;
let server: MailServer;
afterEach(async () => {
  await Promise.all([site.stop(), server.stop()]);
});

async function startReplySite({ isSetUp = true } = {}) {
  ({ site, server } = await startMailSite({ isMailSetUp: isSetUp }));
  await addForm(site.store);
  const { status } = await site.visitor().post("/api/form-submissions", createEnquiry(ANSWERS));
  expect(status).toBe(201);
}

const readStored = async () =>
  (await site.store.of(entities.formSubmissions).readPage({ offset: 0, limit: 1 })).items[0]!;
const getPath = async () => `/api/form-submissions/${(await readStored()).id}/replies`;
const REPLY = { subject: "Re: Train with me", text: "Dear Ann,\n\ncan we talk?\n\nBest wishes" };

test("an owner's reply to an enquiry arrives complete, with the owner as Reply-To, and is stored", async () => {
  await startReplySite();
  const owner = await site.owner();
  expect((await owner.get(await getPath())).body).toMatchObject({ isPossible: true, replies: [] });
  const sent = await owner.post(await getPath(), REPLY);
  expect([sent.status, sent.body.status, sent.body.replies.length]).toEqual([201, "reviewed", 1]);
  const email = await server.waitForMessage(REPLY.subject);
  expect(email).toMatchObject({
    to: [{ address: "ann@example.com" }],
    replyTo: [{ address: OWNER.email }],
  });
  expect(email.text).toContain(REPLY.text);
  expect(email.text).toContain("Story\nI want to sing.");
  const names = email.headers.map(({ key }) => key);
  expect(names).not.toContain("auto-submitted");
  const thread = async () => (await owner.get(await getPath())).body.replies[0];
  await waitForValue(async () => (await thread()).state, "sent");
  expect(await thread()).toMatchObject({ ...REPLY, by: OWNER.username, to: "ann@example.com" });
});

test("the enquiry quoted below a reply is in the site's language", async () => {
  await startReplySite();
  await site.store.of(entities.formSubmissions).update((await readStored()).id, (each) => ({
    ...each,
    questions: [
      ...each.questions,
      { id: "d", label: "Tag", type: "date", answer: "2027-03-14" },
      { id: "l", label: "Seite", type: "link", answer: "https://vita.example" },
      { id: "n", label: "Land", type: "country", answer: "Germany" },
      { id: "o", label: "Telefon", type: "phone", answer: "" },
      { id: "c", label: "Einverstanden", type: "consent", answer: "Agreed" },
    ],
  }));
  const owner = await site.owner();
  const quoted = async (subject: string) => {
    await owner.post(await getPath(), { ...REPLY, subject });
    return (await server.waitForMessage(subject)).text;
  };
  const english = await quoted("In English");
  expect(english).toContain("Tag\n14 March 2027");
  expect(english).toContain("Seite\n(a link)");
  expect(english).toContain("Land\nGermany");
  await owner.post("/api/site", { language: "de" });
  const german = await quoted("Auf Deutsch");
  expect(german).toContain("Tag\n14. März 2027");
  expect(german).toContain("Seite\n(ein Link)");
  expect(german).toContain("Land\nDeutschland");
  expect(german).toContain("Telefon\n–");
  expect(german).toContain("Einverstanden\n✓");
});

test("the enquiry quoted below a reply has no links, since somebody else may have typed it", async () => {
  await startReplySite();
  const story =
    "Claim at evil.example/win, HTTP://1.2.3.4, www.evil.com or a@evil.com; at 7.30 p.m.";
  await site.visitor().post("/api/form-submissions", createEnquiry({ ...ANSWERS, story }));
  const { items } = await site.store
    .of(entities.formSubmissions)
    .readPage({ newestFirst: true, offset: 0, limit: 1 });
  const owner = await site.owner();
  await owner.post(`/api/form-submissions/${items[0]!.id}/replies`, REPLY);
  const { text, html } = await server.waitForMessage(REPLY.subject);
  expect(text).toContain("Claim at (a link) (a link) (a link) or (a link) at 7.30 p.m.");
  expect(text! + html!).not.toMatch(/evil|1\.2\.3/);
});

test("a reply without subject and text is refused, and a line break in a subject can't add a header", async () => {
  await startReplySite();
  const owner = await site.owner();
  const refused = await owner.post(await getPath(), { subject: " ", text: "" });
  expect([refused.status, refused.body.fields]).toEqual([
    422,
    { subject: "Enter a subject.", text: "Write a message first." },
  ]);
  expect((await readStored()).replies).toEqual([]);
  const subject = "Hello\r\nBcc: bob@example.com";
  expect((await owner.post(await getPath(), { ...REPLY, subject })).status).toBe(201);
  expect((await server.waitForMessage("Hello Bcc: bob@example.com")).bcc ?? []).toEqual([]);
  const reader = await site.logInAs("reader");
  expect((await reader.get(await getPath())).body).toMatchObject({ isPossible: false });
  expect((await owner.post("/api/form-submissions/none/replies", REPLY)).status).toBe(404);
});

test("while mail isn't set up, a reply to an enquiry is neither offered nor stored", async () => {
  await startReplySite({ isSetUp: false });
  const owner = await site.owner();
  expect((await owner.get(await getPath())).body).toMatchObject({ isPossible: false, replies: [] });
  expect((await owner.post(await getPath(), REPLY)).status).toBe(409);
  expect((await readStored()).replies).toEqual([]);
});

test("replies have four templates and the site's name as signature, until the owner changes these settings", async () => {
  await startReplySite();
  const owner = await site.owner();
  const thread = async () => (await owner.get(await getPath())).body;
  const { name } = site.store.of(entities.site).read().value;
  expect(await thread()).toMatchObject({ signature: `Best wishes,\n${name}` });
  const labels = (await thread()).templates.map(({ label }: { label: string }) => label);
  expect(labels.join()).toBe("Can we talk?,I'll reply later,Tell me more,Not this time");
  const settings = {
    signature: "Yours, Ada",
    replyTemplates: [{ label: "Hello", text: "Hi there." }],
  };
  expect((await owner.post("/api/mail", settings)).body).toMatchObject(settings);
  expect(await thread()).toMatchObject({
    signature: settings.signature,
    templates: settings.replyTemplates,
  });
  const nameless = { replyTemplates: [{ label: " ", text: "Hi there." }] };
  expect((await owner.post("/api/mail", nameless)).text).toContain("Give each template a name.");
  expect((await owner.post("/api/mail", { signature: "", replyTemplates: [] })).status).toBe(200);
  expect(await thread()).toMatchObject({ signature: `Best wishes,\n${name}`, templates: [] });
});
