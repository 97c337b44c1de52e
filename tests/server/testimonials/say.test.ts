/** A testimonial by a link: written once, reported, withdrawn (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { entities, type Item } from "../../../src/schema/index.ts";
import { restoreValues } from "../../../src/server/content/history.ts";
import { TRANSLATED_LANGUAGES } from "../../../src/schema/core/languages.ts";
import { getWords } from "../../../src/web/words/allWords.ts";
import { fillPlaceholders } from "../../../src/web/words/placeholders.ts";
import type { Client } from "../../support/client.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import { createPicture } from "../../support/pictures.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { type Site, startSite } from "../../support/startSite.ts";
import { waitForValue } from "../../support/waits.ts";
import { forgeTokens, findOpenedTokens } from "../../support/forgedTokens.ts";

const DAY_MS = 86_400_000;

const site = setUpSiteForAll(startSite);
const unlimitedSite = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

const TESTIMONIAL = { words: "I had not been inside a gym since school.", name: "Denise Barker" };

const createBody = (more: object = {}) =>
  new URLSearchParams({ ...TESTIMONIAL, agreed: "yes", ...more }).toString();
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const postBody = (
  path: string,
  body: string,
  to: Site = unlimitedSite,
  client: Client = to.visitor(),
) => client.post(path, body, FORM);

/** Makes a request; returns the path of its link. */
async function requestLink(more: object = {}, to: Site = unlimitedSite) {
  const request = (await to.asOwner("POST", "/api/testimonial-requests", more)) as { id: string };
  const path = `/api/testimonial-requests/${request.id}/link?from=${to.url}`;
  const { link, ...rest } = await to.asOwner<{ link: string; message: string }>("GET", path);
  const { origin, pathname, search } = new URL(link);
  expect(origin).toBe(to.url);
  return { ...request, ...rest, link, path: pathname + search };
}

type Stored = Item<"testimonials">;
const readStored = (to: Site = unlimitedSite): Promise<Stored[]> =>
  to.asOwner("GET", "/api/testimonials");
const fetchPage = async (to: Site = unlimitedSite) => (await to.visitor().get("/coaching")).text;

/** Stored requests that are valid until tomorrow. */
const createRequests = (count: number, more: object): Item<"testimonialRequests">[] => {
  const request = { who: null, email: null, usedAt: null, testimonialId: null, takenBackAt: null };
  const createdAt = new Date(Date.now() - DAY_MS).toISOString();
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
  const all = { ...request, createdAt, expiresAt, ...more };
  return Array.from({ length: count }, () => ({ ...all, id: Bun.randomUUIDv7() }));
};

beforeEach(async () => {
  for (const to of [site, unlimitedSite]) {
    if (!to.store) continue;
    await to.store.of(entities.testimonials).update((all) => (all.length > 0 ? [] : all));
    await to.store.of(entities.testimonialRequests).update((all) => (all.length > 0 ? [] : all));
    await to.asOwner("POST", "/api/extras", { on: ["testimonials"] });
  }
});

test("the page for writing a testimonial asks the owner's questions, and has no script", async () => {
  const { path } = await requestLink();
  const { status, text, headers } = await unlimitedSite.visitor().get(path);
  expect(status).toBe(200);
  expect(text).toContain('<h1 dir="auto">Your Name would like a testimonial from you</h1>');
  expect(text.match(/<li dir="auto">/g)).toHaveLength(3);
  expect(text).toContain("(up to 600 characters)");
  expect(text).toContain(
    "I agree that Your Name may publish my testimonial and name on this website. I can withdraw this at any time.",
  );
  expect(text).not.toContain("<script");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  expect(headers.get("content-security-policy")).not.toContain("script-src");
  expect([headers.get("cache-control"), headers.get("x-robots-tag")]).toEqual([
    "no-store",
    "noindex",
  ]);
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  await unlimitedSite.asOwner("POST", "/api/testimonial-settings", { questions: "How was it?" });
  const html = (await unlimitedSite.visitor().get(path)).text;
  expect(html).toContain('<li dir="auto">How was it?</li>');
  expect(html.match(/<li/g)).toHaveLength(1);
  const { questions } = entities.testimonialSettings.fields;
  await unlimitedSite.asOwner("POST", "/api/testimonial-settings", {
    questions: questions.initial,
  });
});

test.each([...TRANSLATED_LANGUAGES])("the testimonial page is complete in %s", async (language) => {
  const { path, message } = await requestLink();
  await unlimitedSite.asOwner("POST", "/api/site", { language });
  const { testimonialForm, defaults } = getWords(language).words;
  const { name } = defaults.texts.site;
  const named = (sentence: string) => Bun.escapeHTML(fillPlaceholders(sentence, { name }));
  const { text } = await unlimitedSite.visitor().get(path);
  expect(text).toContain(`<html lang="${language}">`);
  for (const sentence of [
    testimonialForm.title,
    testimonialForm.consent,
    testimonialForm.text,
    testimonialForm.send,
    testimonialForm.questions.before,
  ])
    expect(text.replaceAll("&#x27;", "&#39;")).toContain(
      named(sentence).replaceAll("&#x27;", "&#39;"),
    );
  expect((await postBody(path, createBody({ words: "" }))).text).toContain(
    named(testimonialForm.missingError),
  );
  expect(message).toContain("/say?t=");
  await unlimitedSite.asOwner("POST", "/api/site", { language: "en" });
});

test("a sent testimonial is hidden until the owner shows it, and has the consent with its time", async () => {
  const { path, id } = await requestLink({ who: "Denise", email: "denise@example.com" });
  const { status, text } = await postBody(path, createBody({ role: "Retired in May" }));
  expect(status).toBe(200);
  expect(text).toContain("Thank you. We received your testimonial.");
  expect(text).toContain("Keep this link so you can withdraw your testimonial at any time.");
  const [testimonial] = await readStored();
  expect(testimonial).toMatchObject({
    ...TESTIMONIAL,
    role: "Retired in May",
    isActive: false,
    isWaiting: true,
    email: "denise@example.com",
  });
  expect(testimonial!.agreed).toMatch(
    /^I agree that Your Name may publish my testimonial and name on this website\. I can withdraw this at any time\. \(.*\d{4}.*\d\d:\d\d.*\)$/,
  );
  expect(await fetchPage()).not.toContain("gym since school");
  const [request] = (await unlimitedSite.asOwner("GET", "/api/testimonial-requests")) as object[];
  expect(request).toMatchObject({ id, testimonialId: testimonial!.id });
  await unlimitedSite.asOwner("PUT", `/api/testimonials/${testimonial!.id}`, { isActive: true });
  expect(await fetchPage()).toContain("gym since school");
});

test("a person can withdraw a testimonial by the same link, and it moves to the trash", async () => {
  const { path } = await requestLink();
  await postBody(path, createBody());
  const [{ id }] = (await readStored()) as [Stored];
  await unlimitedSite.asOwner("PUT", `/api/testimonials/${id}`, { isActive: true });
  expect(await fetchPage()).toContain("gym since school");
  // Opening a link changes nothing, since mail scanners open links too.
  expect((await unlimitedSite.visitor().get(path)).text).toContain("Withdraw my testimonial");
  expect(await readStored()).toHaveLength(1);
  const started = performance.now();
  const { status, text } = await postBody(path, "do=take-back");
  expect([status, text.includes("Testimonial withdrawn.")]).toEqual([200, true]);
  await waitForValue(async () => (await fetchPage()).includes("gym since school"), false);
  expect(performance.now() - started).toBeLessThan(1000);
  expect(await readStored()).toEqual([]);
  const binned = (await unlimitedSite.asOwner("GET", "/api/bin?kind=other")) as { id: string }[];
  expect(binned.map((each) => each.id)).toContain(id);
  for (const again of [await unlimitedSite.visitor().get(path), await postBody(path, createBody())])
    expect([again.status, again.text.includes("This link no longer works.")]).toEqual([410, true]);
  // If the owner restores the testimonial, its consent says that it was withdrawn, and visitors don't see it.
  await unlimitedSite.asOwner("POST", `/api/bin/${id}/restore`);
  const [back] = (await readStored()) as [Stored];
  expect(back).toMatchObject({ isActive: false });
  expect(back.agreed).toContain("Testimonial withdrawn. (");
});

test("a used, expired, deleted or unknown testimonial link stores nothing", async () => {
  const used = await requestLink();
  await postBody(used.path, createBody());
  expect((await postBody(used.path, createBody({ name: "Somebody else" }))).text).toContain(
    "Thank you.",
  );
  expect(await readStored()).toHaveLength(1);
  const over = async (path: string) => {
    const answers = [await unlimitedSite.visitor().get(path), await postBody(path, createBody())];
    return answers.map(({ status, text }) => `${status} ${text.includes("no longer works")}`);
  };
  const ended = await requestLink();
  await unlimitedSite.store
    .of(entities.testimonialRequests)
    .update((all) =>
      all.map((each) => ({ ...each, expiresAt: new Date(Date.now() - 1).toISOString() })),
    );
  expect(await over(ended.path)).toEqual(["410 true", "410 true"]);
  const deleted = await requestLink();
  await unlimitedSite.asOwner("DELETE", `/api/testimonial-requests/${deleted.id}`);
  expect(await over(deleted.path)).toEqual(["404 true", "404 true"]);
  for (const path of ["/say", "/say?t=", "/say?t=x.y", `${deleted.path}x`, `/say?t=${deleted.id}`])
    expect((await over(path))[1]).toBe("404 true");
  const off = await requestLink();
  await unlimitedSite.asOwner("POST", "/api/extras", { on: [] });
  expect((await over(off.path))[1]).toBe("404 true");
  expect(await readStored()).toHaveLength(1);
});

test("a testimonial link leads to the site, whatever URL the request contains", async () => {
  const { id } = await requestLink();
  for (const from of ["https://spam.example", "javascript:alert(1)", "nowhere"]) {
    const path = `/api/testimonial-requests/${id}/link?from=${encodeURIComponent(from)}`;
    const { link } = await unlimitedSite.asOwner("GET", path); // oxlint-disable-line no-await-in-loop
    expect(link).toStartWith(`${unlimitedSite.url}/say?t=`);
  }
});

test("a testimonial link expires after 60 days", async () => {
  const { path } = await requestLink({}, site);
  const [request] = await site.asOwner("GET", "/api/testimonial-requests");
  expect(Date.parse(request.expiresAt) - Date.parse(request.createdAt)).toBe(60 * DAY_MS);
  expect(path).toMatch(/^\/say\?t=[\w-]+\.[\w-]{32}$/);
});

test("a testimonial link with a forged token is refused", async () => {
  const { path, id } = await requestLink();
  const token = new URLSearchParams(path.split("?")[1]).get("t")!;
  const open = (each: string) => postBody(`/say?t=${each}`, createBody());
  expect(await findOpenedTokens(forgeTokens(token, id), open)).toEqual([]);
  expect(await readStored()).toEqual([]);
  expect((await postBody(path, createBody())).status).toBe(200);
}, 120_000);

test("one of many simultaneous testimonials by one link is stored, and all senders are thanked", async () => {
  const { path } = await requestLink();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => postBody(path, createBody({ name: `Somebody ${at}` }))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await readStored()).toHaveLength(1);
});

test("ten of sixty testimonials that a visitor sends in a row are accepted, and refusals keep the input", async () => {
  const paths: string[] = [];
  for (let count = 0; count < 60; count++) paths.push((await requestLink({}, site)).path); // oxlint-disable-line no-await-in-loop
  const client = site.visitor();
  const statuses: number[] = [];
  let last = "";
  for (const path of paths) {
    const answer = await postBody(path, createBody(), site, client); // oxlint-disable-line no-await-in-loop
    statuses.push(answer.status);
    last = answer.text;
    if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  expect(last).toMatch(/You(?:'|&#x27;)ve sent too many messages\./);
  expect(last).toContain("gym since school");
  expect(await readStored(site)).toHaveLength(10);
});

test("a web address anywhere in a testimonial is refused", async () => {
  const { path } = await requestLink();
  const words = "Visit spam.com today";
  for (const more of [{ words }, { name: words }, { role: words }]) {
    const { status, text } = await postBody(path, createBody(more));
    expect([status, text.includes("Please remove any links.")]).toEqual([422, true]);
  }
  expect(await readStored()).toEqual([]);
});

const PLAIN = [
  ["CJK", "彼は私たちの名前を覚えた。".repeat(50).slice(0, 600)],
  ["Arabic", "كان يتحدث معنا بهدوء. ".repeat(30).slice(0, 600).trim()],
  ["emoji", "👏".repeat(300)],
  ["lines", Array.from({ length: 60 }, () => "A line.").join("\r\n")],
] as const;

test.each(PLAIN)("a testimonial without a web address is accepted: %s", async (_, words) => {
  const { path } = await requestLink();
  const { status } = await postBody(
    path,
    createBody({ words, name: words.slice(0, 40).split("\r")[0] }),
  );
  expect(status).toBe(200);
  expect((await readStored())[0]!.words).toBe(words.replaceAll("\r\n", "\n"));
});

test("an invalid testimonial's mistakes are reported at their fields, and the input stays", async () => {
  const { path } = await requestLink();
  const refused = async (more: object) => {
    const { status, text } = await postBody(path, createBody(more));
    expect([status, text.includes("<form")]).toEqual([422, true]);
    return [...text.matchAll(/id="(\w+)-wrong">([^<]*)</g)].map(([, field, message]) => [
      field,
      message,
    ]);
  };
  expect(await refused({ words: " " })).toEqual([["words", "Please fill in this field."]]);
  expect(await refused({ name: "" })).toEqual([["name", "Please fill in this field."]]);
  const long = `${"x".repeat(5990)} THE END`;
  expect(await refused({ words: long })).toEqual([
    ["words", "Use at most 600 characters. (5998 / 600)"],
  ]);
  expect((await postBody(path, createBody({ words: long }))).text).toContain(`${long}</textarea>`);
  expect(await refused({ name: "x".repeat(81), role: "x".repeat(82) })).toEqual([
    ["name", "Use at most 80 characters. (81 / 80)"],
    ["role", "Use at most 80 characters. (82 / 80)"],
  ]);
  expect(await refused({ name: "a\u0000b" })).toEqual([
    ["name", "Remove the invisible characters from this text."],
  ]);
  expect((await refused({ agreed: "" }))[0]![0]).toBe("agreed");
  const { text } = await postBody(
    path,
    createBody({ name: "", role: '"><script>alert(1)</script>' }),
  );
  expect(text).toContain("gym since school");
  expect(text).not.toContain("<script>");
  expect(await readStored()).toEqual([]);
});

test("a refused testimonial is reported in the page's title, and the first invalid field has the focus", async () => {
  const { path } = await requestLink();
  const describeRefusal = async (more: object) => {
    const { text } = await postBody(path, createBody(more));
    const [, title] = /<title>([^<]*)</.exec(text)!;
    const focused = [...text.matchAll(/<(?:input|textarea)[^>]*autofocus[^>]*>/g)].map(
      ([tag]) => /id="(\w+)"/.exec(tag)![1],
    );
    return { isRefused: title!.startsWith("Not sent: "), focused };
  };
  expect(await describeRefusal({ name: "", agreed: "" })).toEqual({
    isRefused: true,
    focused: ["name"],
  });
  expect(await describeRefusal({ agreed: "" })).toEqual({ isRefused: true, focused: ["agreed"] });
  const { text } = await unlimitedSite.visitor().get(path);
  expect(text).not.toContain("autofocus");
  expect(text).not.toContain("Not sent");
});

test("a testimonial is refused with a message if it is too large or the list is full", async () => {
  const { path } = await requestLink();
  expect((await postBody(path, createBody({ other: "x".repeat(66_000) }))).status).toBe(413);
  expect((await unlimitedSite.visitor().post(path, { ...TESTIMONIAL, agreed: "yes" })).status).toBe(
    415,
  );
  const filled = await postBody(path, createBody({ website: "x" }));
  expect(filled.status).toBe(200);
  const [one] = await unlimitedSite.store.of(entities.testimonials).read().value;
  await unlimitedSite.store
    .of(entities.testimonials)
    .update(() => Array.from({ length: 200 }, () => ({ ...one!, id: Bun.randomUUIDv7() })));
  const full = await postBody((await requestLink()).path, createBody());
  expect([full.status, full.text.includes("We can&#x27;t accept more testimonials")]).toEqual([
    409,
    true,
  ]);
});

test("a browser that sends no origin can send a testimonial", async () => {
  const { path } = await requestLink();
  const from = (headers: Record<string, string>) =>
    unlimitedSite.visitor().post(path, createBody(), { ...FORM, ...headers });
  expect((await from({ origin: "null" })).status).toBe(200);
  expect(await readStored()).toHaveLength(1);
});

test("the privacy policy says what is stored of people who write testimonials, while the section is on", async () => {
  const policy = async () => (await unlimitedSite.visitor().get("/privacy-policy")).text;
  const SENTENCE = "When you write a testimonial using a link from us:";
  expect(await policy()).toContain(SENTENCE);
  await unlimitedSite.asOwner("POST", "/api/extras", { on: [] });
  expect(await policy()).not.toContain(SENTENCE);
});

test("erasing a person removes the person's request and testimonial, and the link no longer works", async () => {
  const { path } = await requestLink({ who: "Eve", email: "Eve@Example.com" });
  await postBody(path, createBody({ words: "Evelyn was here", name: "Evelyn" }));
  const [{ id }] = (await readStored()) as [Stored];
  await unlimitedSite.asOwner("PUT", `/api/testimonials/${id}`, { isActive: true });
  const people = (action: string) =>
    unlimitedSite.asOwner("POST", `/api/people/${action}`, { email: "eve@example.com" });
  expect(await people("find")).toMatchObject({ testimonials: 1, testimonialRequests: 1, shown: 1 });
  const exported = await people("export");
  expect(exported.testimonials).toMatchObject([{ words: "Evelyn was here" }]);
  expect(exported.testimonialRequests).toMatchObject([{ who: "Eve" }]);
  expect(await people("erase")).toMatchObject({ testimonials: 1, testimonialRequests: 1 });
  await unlimitedSite.waitForAuditLog();
  const storedText = (await readStoredTexts(unlimitedSite.config))
    .map(({ text }) => text)
    .join("\n");
  expect(storedText).not.toMatch(/evelyn|eve@example/i);
  expect((await unlimitedSite.visitor().get(path)).status).toBe(404);
  expect(await fetchPage()).not.toContain("Evelyn");
});

test("used testimonial links stay valid for withdrawing the testimonial, and don't count toward the limit of 200", async () => {
  const { path } = await requestLink();
  await postBody(path, createBody());
  const used = createRequests(300, { usedAt: new Date().toISOString() });
  await unlimitedSite.store.of(entities.testimonialRequests).update((all) => [...all, ...used]);
  expect(await unlimitedSite.asOwner("GET", "/api/notices")).not.toContainEqual(
    expect.objectContaining({ code: "limit_testimonialRequests" }),
  );
  await requestLink();
  expect(await unlimitedSite.asOwner("GET", "/api/testimonial-requests")).toHaveLength(302);
  expect((await postBody(path, "do=take-back")).text).toContain("Testimonial withdrawn.");
});

test("a withdrawn testimonial is restored neither with an earlier version of the list nor with a backup's section", async () => {
  await unlimitedSite.asOwner("POST", "/api/testimonials", {
    words: "My own note",
    name: "The owner",
  });
  const { path } = await requestLink();
  await postBody(path, createBody());
  const { id } = (await readStored()).find(({ isWaiting }) => isWaiting) as Stored;
  await unlimitedSite.asOwner("PUT", `/api/testimonials/${id}`, { isActive: true });
  expect(await fetchPage()).toContain("gym since school");
  await postBody(path, "do=take-back");
  const versions: { revision: number }[] = await unlimitedSite.asOwner(
    "GET",
    "/api/history/testimonials",
  );
  expect(versions.length).toBeGreaterThan(3);
  for (const { revision } of versions.slice(0, 5)) {
    const at = `/api/history/testimonials/${revision}`;
    expect(JSON.stringify(await unlimitedSite.asOwner("GET", at))).not.toContain(
      "gym since school",
    ); // oxlint-disable-line no-await-in-loop
    await unlimitedSite.asOwner("POST", `${at}/restore`); // oxlint-disable-line no-await-in-loop
    expect(JSON.stringify(await readStored())).not.toContain("gym since school"); // oxlint-disable-line no-await-in-loop
    expect(await fetchPage()).not.toContain("gym since school"); // oxlint-disable-line no-await-in-loop
  }
  // As in a backup of one section.
  const before = await unlimitedSite.store
    .of(entities.testimonials)
    .readRevision(versions[1]!.revision);
  expect(JSON.stringify(before)).toContain("gym since school");
  const { revision: asOf } = unlimitedSite.store.of(entities.erasureMark).read();
  const asInBackup = new Map([[entities.testimonials, before!.value]]);
  await restoreValues({ bin: unlimitedSite.bin, clock: Date.now }, asInBackup, asOf);
  expect((await readStored()).map(({ words }) => words)).toEqual(["My own note"]);
  // If the owner restores it from the bin, it stays hidden and can be withdrawn again.
  await unlimitedSite.asOwner("POST", `/api/bin/${id}/restore`);
  await restoreValues({ bin: unlimitedSite.bin, clock: Date.now }, asInBackup, asOf);
  expect((await readStored()).find((each) => each.id === id)).toMatchObject({ isActive: false });
  expect((await postBody(path, "do=take-back")).text).toContain("Testimonial withdrawn.");
});

test("a withdrawal stays recorded after the testimonial is purged, without the person's name", async () => {
  const { path } = await requestLink();
  await postBody(path, createBody());
  const [{ id }] = (await readStored()) as [Stored];
  await postBody(path, "do=take-back");
  await unlimitedSite.asOwner("DELETE", `/api/bin/${id}`);
  const noted = { testimonialId: id, takenBackAt: expect.any(String), who: null, email: null };
  const readRequests = () => unlimitedSite.store.of(entities.testimonialRequests).read().value;
  await waitForValue(() => readRequests()[0]?.who, null);
  expect(readRequests()).toMatchObject([noted]);
});

test("a testimonial that the owner deleted can be restored and then withdrawn, until it is purged", async () => {
  const { path } = await requestLink();
  await postBody(path, createBody());
  const [{ id }] = (await readStored()) as [Stored];
  const [{ revision }] = await unlimitedSite.asOwner("GET", "/api/history/testimonials");
  await unlimitedSite.asOwner("DELETE", `/api/testimonials/${id}`);
  expect((await unlimitedSite.visitor().get(path)).status).toBe(410);
  await unlimitedSite.asOwner("POST", `/api/history/testimonials/${revision}/restore`);
  expect(await readStored()).toHaveLength(1);
  expect((await unlimitedSite.visitor().get(path)).text).toContain("Withdraw my testimonial");
  await unlimitedSite.asOwner("DELETE", `/api/testimonials/${id}`);
  await unlimitedSite.asOwner("DELETE", `/api/bin/${id}`);
  await waitForValue(() => unlimitedSite.asOwner("GET", "/api/testimonial-requests"), []);
  await unlimitedSite.asOwner("POST", `/api/history/testimonials/${revision}/restore`);
  expect(await readStored()).toEqual([]);
  expect((await unlimitedSite.visitor().get(path)).status).toBe(404);
});

test("expired requests are removed from a full list for a new request", async () => {
  const fillWith = (more: object) =>
    unlimitedSite.store.of(entities.testimonialRequests).update(() => createRequests(200, more));
  await fillWith({ expiresAt: new Date(Date.now() - DAY_MS).toISOString() });
  await requestLink();
  expect(await unlimitedSite.asOwner("GET", "/api/testimonial-requests")).toHaveLength(1);
  await fillWith({});
  const { status } = await (await unlimitedSite.owner()).post("/api/testimonial-requests", {});
  expect(status).toBe(409);
});

test("pages opened by links in messages have the site's colors, fonts and portrait", async () => {
  const styles = await unlimitedSite.asOwner("GET", "/api/styles");
  const about = await unlimitedSite.asOwner("GET", "/api/about");
  const { url } = await uploadPicture(
    unlimitedSite,
    "face.png",
    await createPicture("png", 400, 500),
  );
  await unlimitedSite.asOwner("POST", "/api/about", { ...about, image: url });
  await unlimitedSite.asOwner("POST", "/api/styles", {
    ...styles,
    backgroundColor: "#FDF6E3",
    textColor: "#FFFFEE",
    headingFont: "Playfair Display",
  });
  const { path } = await requestLink();
  for (const { text, headers } of [
    await unlimitedSite.visitor().get(path),
    await postBody(path, createBody()),
    await unlimitedSite.visitor().get("/times?t=x"),
    await unlimitedSite.visitor().get("/unsubscribe?t=x"),
    await unlimitedSite.visitor().get("/letters"),
  ]) {
    expect(text).toContain("--background:#FDF6E3");
    // Unreadable text colors are replaced by black.
    expect(text).toMatch(/--text:#0{3}|--text:#00/);
    expect(text).toContain('font-family:"Playfair Display"');
    expect(text).toContain(`<img src="${url}"`);
    expect(headers.get("content-security-policy")).toContain("img-src 'self'; font-src 'self';");
  }
  await unlimitedSite.asOwner("POST", "/api/styles", styles);
  await unlimitedSite.asOwner("POST", "/api/about", about);
});
