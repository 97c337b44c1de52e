/** Forms with their own address (specification, section 2.4). */
import { afterEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { deleteForms } from "../../support/enquiryForm.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ hasAddress: true, env: { RATE_LIMIT: "off" } }));
const owner = ownerOf(site);
afterEach(async () => {
  expect(site.reportedErrors).toEqual([]);
  await deleteForms(site);
});

const fetchPage = async (path: string) => {
  const answer = await fetch(site.url + path);
  return { status: answer.status, html: await answer.text() };
};
const postForm = async (path: string, fields: Record<string, string>) => {
  const body = new URLSearchParams(fields);
  const init = { method: "POST", body, headers: { origin: site.url } };
  const answer = await fetch(site.url + path, init);
  return { status: answer.status, html: (await answer.text()).replaceAll("<!-- -->", "") };
};

/** Creates a form with one question, whose label contains the form's title. */
async function createForm(title: string, more: object = {}) {
  const form = await site.asOwner("POST", "/api/forms", { title, ...more });
  const step = await site.asOwner("POST", "/api/form-steps", { formId: form.id, title: "You" });
  const label = `Name for ${title}`;
  const question = { stepId: step.id, label, isRequired: true };
  const field = await site.asOwner("POST", "/api/form-fields", question);
  return { id: form.id as string, field: field.id as string, label };
}

const CLOSED = "This form is currently closed.";

test("a form's own page has About's portrait beside its text", async () => {
  await createForm("BOOK A SHOW", { path: "book" });
  const about = await site.asOwner("GET", "/api/about");
  await site.asOwner("POST", "/api/about", { ...about, image: "https://pictures.example/me.jpg" });
  const { html } = await fetchPage("/book");
  expect(html).toMatch(/class="enquiry-portrait"><img[^>]*pictures\.example\/me\.jpg/);
  await site.asOwner("POST", "/api/about", about);
});

test("three active forms have three pages, each with its own text and path, and /coaching has the first form", async () => {
  await createForm("COACHING", { path: "work-with-me", subtitle: "Two minutes" });
  await createForm("BOOK A SHOW", { path: "book", description: "Tell me.\nAll of it." });
  await createForm("BRANDS", { path: "brands" });
  const pages = [
    ["/coaching", "COACHING"],
    ["/work-with-me", "COACHING"],
    ["/book", "BOOK A SHOW"],
    ["/brands", "BRANDS"],
  ] as const;
  for (const [path, title] of pages) {
    const { status, html } = await fetchPage(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toContain(`Name for ${title}`);
    expect(html).toContain(`<link rel="canonical" href="${site.url}${path}"/>`);
    expect(html).toContain(`action="${path}#enquiry"`);
    expect(html).toContain(' data-wakes="/assets/entry-enquiry');
    if (path === "/coaching") continue;
    expect(html).toMatch(new RegExp(`<h1[^>]*>(?:<[^>]*>)*${title.split(" ")[0]}`));
    expect(html).toContain(`<title>${title} | `);
    expect([...html.matchAll(/<h1/g)]).toHaveLength(1);
  }
  expect((await fetchPage("/work-with-me")).html).toContain(
    'name="description" content="Two minutes"',
  );
  expect((await fetchPage("/book")).html).toContain('content="Tell me. All of it."');
  const { html: map } = await fetchPage("/sitemap.xml");
  for (const [path] of pages) expect(map).toContain(`<loc>${site.url}${path}</loc>`);
  // Links to these pages are prefetched like those to the others.
  expect((await fetchPage("/")).html).toContain('"/book"');
  // Like any page's address, it works in upper case and with a slash at its end.
  for (const path of ["/BOOK", "/book/"]) expect((await fetchPage(path)).status).toBe(200);
  expect((await fetchPage("/book/more")).status).toBe(404);
});

test("a form without scripts is sent to its own path, and the enquiry is stored for that form", async () => {
  await createForm("COACHING");
  const { id, field, label } = await createForm("SHOW", { path: "book" });
  const missing = await postForm("/book", { formId: id, step: "0", action: "submit" });
  expect([missing.status, missing.html.includes(`${label} is required`)]).toEqual([422, true]);
  const done = await postForm("/book", { formId: id, step: "0", action: "submit", [field]: "Ada" });
  expect([done.status, done.html.includes("Thank You!")]).toEqual([200, true]);
  expect(done.html).toContain('action="/book"');
  expect((await owner.get(`/api/form-submissions/${id}`)).body).toHaveLength(1);
  // A post to another page can't send this page's form.
  const wrong = await postForm("/coaching", {
    formId: id,
    step: "0",
    action: "submit",
    [field]: "A",
  });
  expect([wrong.status, wrong.html.includes("This form has changed")]).toEqual([422, true]);
  expect((await postForm("/nothing", { formId: id })).status).toBe(404);
});

test("an inactive form's page says that the form is closed, and accepts no enquiry", async () => {
  const { id, field } = await createForm("SHOW", { path: "book" });
  expect((await fetchPage("/book")).status).toBe(200);
  await site.asOwner("PUT", `/api/forms/${id}`, { isActive: false });
  const { status, html } = await fetchPage("/book");
  expect(status).toBe(404);
  for (const text of [CLOSED, "Go to the home page", 'content="noindex"'])
    expect(html).toContain(text);
  expect((await fetchPage("/sitemap.xml")).html).not.toContain("/book");
  const sent = await postForm("/book", { formId: id, step: "0", action: "submit", [field]: "Ada" });
  expect([sent.status, sent.html.includes(CLOSED)]).toEqual([404, true]);
  expect((await owner.get(`/api/form-submissions/${id}`)).body).toEqual([]);
  await site.asOwner("PUT", `/api/forms/${id}`, { isActive: true });
  expect((await fetchPage("/book")).status).toBe(200);
});

test("a form's path can be sent with a leading slash, and is stored without the slash", async () => {
  const { id } = await createForm("SHOW", { path: "/book" });
  expect((await fetchPage("/book")).status).toBe(200);
  const { body } = await owner.put(`/api/forms/${id}`, { path: "/booking" });
  expect(body.path).toBe("booking");
  expect((await fetchPage("/booking")).status).toBe(200);
  const other = await owner.post("/api/forms", { title: "OTHER", path: "/booking" });
  expect([other.status, other.body.fields?.path]).toEqual([
    422,
    'The form "SHOW" already uses this page URL.',
  ]);
  const admin = await owner.put(`/api/forms/${id}`, { path: "/admin" });
  expect([admin.status, admin.body.fields?.path]).toEqual([
    422,
    "This page URL is reserved. Choose another one.",
  ]);
  // A change of another field leaves the address unchanged.
  expect((await owner.put(`/api/forms/${id}`, { title: "SHOWS" })).body.path).toBe("booking");
  const longest = await owner.put(`/api/forms/${id}`, { path: `/${"a".repeat(60)}` });
  expect([longest.status, longest.body.path]).toEqual([200, "a".repeat(60)]);
});

test("a form's earlier path is no longer found after a change or removal", async () => {
  const { id } = await createForm("SHOW", { path: "book" });
  expect((await fetchPage("/book")).status).toBe(200);
  await site.asOwner("PUT", `/api/forms/${id}`, { path: "booking" });
  expect((await fetchPage("/book")).html).toContain("404 Page Not Found");
  expect((await fetchPage("/booking")).status).toBe(200);
  await site.asOwner("PUT", `/api/forms/${id}`, { path: null });
  expect((await fetchPage("/booking")).status).toBe(404);
  await site.asOwner("PUT", `/api/forms/${id}`, { path: "" });
  await site.asOwner("PUT", `/api/forms/${id}`, { path: "booking" });
  await owner.delete(`/api/forms/${id}`);
  expect((await fetchPage("/booking")).html).toContain("404 Page Not Found");
});

describe("a form's path is refused at its field", () => {
  const expectRefused = async (path: unknown, id?: string) => {
    const before = site.readStored();
    const { status, body } = id
      ? await owner.put(`/api/forms/${id}`, { path })
      : await owner.post("/api/forms", { title: "New", path });
    expect(site.readStored()).toBe(before);
    return [status, body.fields?.path];
  };
  const SHAPE = "Enter a page URL such as book-a-show: lowercase letters, digits and hyphens.";

  test.each([
    "//book",
    "/Book",
    "Book",
    "a b",
    "book/me",
    "-book",
    "bück",
    "book.html",
    "..",
    "%2e",
    "a_b",
  ])("if it is %j", async (path) => {
    expect(await expectRefused(path)).toEqual([422, SHAPE]);
  });

  test("if it is too long or not a text", async () => {
    expect(await expectRefused("a".repeat(61))).toEqual([422, "Use at most 60 characters."]);
    expect((await expectRefused(7))[0]).toBe(422);
    expect((await expectRefused(["book"]))[0]).toBe(422);
  });

  test("if another form has it, active or not", async () => {
    const { id } = await createForm("SHOW", { path: "book", isActive: false });
    const other = await createForm("OTHER");
    const words = 'The form "SHOW" already uses this page URL.';
    expect(await expectRefused("book")).toEqual([422, words]);
    expect(await expectRefused("book", other.id)).toEqual([422, words]);
    await site.asOwner("PUT", `/api/forms/${id}`, { path: "book", title: "Still" });
  });

  test("if the site itself uses it, such as /admin or /uploads", async () => {
    const segments = site.app.routes.map(({ path }) => path.split("/")[1]!);
    const words = "This page URL is reserved. Choose another one.";
    const fixed = new Set(segments.filter((each) => /^[a-z0-9][a-z0-9-]{0,59}$/.test(each)));
    expect(fixed.size).toBeGreaterThan(5);
    const files = ["assets", "fonts", "pictures", "dates", "admin", "uploads", "not-found"];
    const others = ["privacy-policy", "coming-soon", "say", "times", "api", "coaching"];
    for (const path of [...fixed, ...files, ...others])
      expect([path, ...(await expectRefused(path))]).toEqual([path, 422, words]);
  });
});

describe("a path that two forms have had", () => {
  const getForms = () => site.store.of(entities.forms);
  const readPaths = () =>
    Object.fromEntries(
      getForms()
        .read()
        .value.map(({ title, path }) => [title, path]),
    );

  test("stays with its current form when the earlier form is restored from the trash", async () => {
    const { id } = await createForm("FIRST", { path: "book" });
    await owner.delete(`/api/forms/${id}`);
    await createForm("SECOND", { path: "book" });
    const { status, body } = await owner.post(`/api/bin/${id}/restore`, {});
    expect([status, body.path]).toEqual([200, null]);
    expect(readPaths()).toMatchObject({ FIRST: null, SECOND: "book" });
    expect((await fetchPage("/book")).html).toContain("Name for SECOND");
  });

  test("stays with its current form when an earlier version of the list is restored", async () => {
    const { id } = await createForm("FIRST", { path: "book" });
    const { revision } = getForms().read();
    await site.asOwner("PUT", `/api/forms/${id}`, { path: "show" });
    await createForm("SECOND", { path: "book" });
    const restored = await owner.post(`/api/history/forms/${revision}/restore`, {});
    expect(restored.status).toBe(200);
    expect(readPaths()).toMatchObject({ FIRST: null, SECOND: "book" });
    expect((await fetchPage("/book")).html).toContain("Name for SECOND");
  });

  test("is restored with the form if no other form has it", async () => {
    const { id } = await createForm("FIRST", { path: "book" });
    await owner.delete(`/api/forms/${id}`);
    expect((await owner.post(`/api/bin/${id}/restore`, {})).body.path).toBe("book");
    expect((await fetchPage("/book")).html).toContain("Name for FIRST");
  });
});

test("of two stored forms with the same path the active form is shown", async () => {
  const { id } = await createForm("FIRST", { path: "book", isActive: false });
  await createForm("SECOND", { path: "booking" });
  const forms = site.store.of(entities.forms);
  await forms.update((all) =>
    all.map((each) => (each.id === id ? each : { ...each, path: "book" })),
  );
  expect((await fetchPage("/book")).html).toContain("Name for SECOND");
});

test("the size limit for an enquiry depends on the largest active form, not on the first form", async () => {
  await createForm("SMALL");
  const { id, field } = await createForm("LARGE", { path: "book" });
  const step = (await owner.get(`/api/form-steps/${id}`)).body[0].id;
  for (let at = 0; at < 6; at++)
    await site.asOwner("POST", "/api/form-fields", { stepId: step, fieldType: "textarea" });
  const fields = (await owner.get(`/api/form-fields/${step}`)).body as { id: string }[];
  const long = fields
    .filter((each) => each.id !== field)
    .map((each) => [each.id, "ä".repeat(5000)]);
  const data = { [field]: "Ada", ...Object.fromEntries(long) };
  const sent = await site.visitor().post("/api/form-submissions", { formId: id, data });
  expect(sent.status).toBe(201);
});
