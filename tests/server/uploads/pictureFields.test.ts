/** A picture's texts, and replacing it by another (specification, section 3.14). */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { entities } from "../../../src/schema/index.ts";
import { createPicture } from "../../support/pictures.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

/** Whether writing the file at a path fails. */
let shouldFail: (path: string) => boolean = () => false;
const disk = createFaultyDisk((operation, path) => {
  if (["rename", "write"].includes(operation) && shouldFail(path)) throw createDiskError("EIO");
}, true);
/** Fails the n-th of the next journal writes. */
function createJournalFault(which: number): (path: string) => boolean {
  let writes = 0;
  return (path) => path.includes("journal") && ++writes === which;
}
const site = setUpSiteForAll(() => startSite({ disk }));
const owner = ownerOf(site);

function createUploadForm(bytes: Uint8Array<ArrayBuffer>, name: string): FormData {
  const data = new FormData();
  data.append("file", new File([bytes], name));
  return data;
}
const uploadPicture = async (width = 320, height = 180, name = "night.png") =>
  (
    await owner.post(
      "/api/upload",
      createUploadForm(await createPicture("png", width, height), name),
    )
  ).body;
const findListed = async (id: string) =>
  (await owner.get("/api/uploads")).body.find((each: { id: string }) => each.id === id);
const fetchHomePage = async () => (await site.visitor().get("/")).text;

const FOCUS = { x: 62, y: 18 };
const CUT = { x: 40, y: 0, width: 45, height: 100 };

describe("PUT /api/uploads/{id}", () => {
  test("a new picture is a photo without description, focus and crops", async () => {
    const none = { alt: "", decorative: false, focus: null, cuts: null };
    expect(await uploadPicture()).toMatchObject({ ...none, kind: "photo" });
  });

  test("stores the sent fields and leaves the rest", async () => {
    const { id } = await uploadPicture();
    const words = { alt: "  On stage, one arm raised ", focus: FOCUS, cuts: { about: CUT } };
    const alt = "On stage, one arm raised";
    const { status, body } = await owner.put(`/api/uploads/${id}`, words);
    expect([status, body.alt, body.originalName]).toEqual([200, alt, "night.png"]);
    const more = { kind: "logo", originalName: "The night" };
    await owner.put(`/api/uploads/${id}`, more);
    const expected = { alt, focus: FOCUS, cuts: { about: CUT }, ...more };
    expect(await findListed(id)).toMatchObject(expected);
  });

  test.each([
    [{ focus: { x: 101, y: 0 } }, "This must be inside the image."],
    [{ cuts: { about: { ...CUT, x: 60 } } }, "This must be inside the image."],
    [{ cuts: { about: { ...CUT, width: 9 } } }, "This must be inside the image."],
    [{ cuts: { moon: CUT } }, "Unknown crop."],
    [{ cuts: { toString: CUT } }, "Unknown crop."],
    [{ kind: "film" }, "Choose one of the options."],
    [{ alt: "x".repeat(161) }, "Use at most 160 characters."],
    [{ originalName: " " }, "This can't be empty."],
  ])("refuses %j and changes nothing", async (sent, words) => {
    const { id } = await uploadPicture();
    const before = await findListed(id);
    const { status, body } = await owner.put(`/api/uploads/${id}`, sent);
    expect([status, body.error]).toEqual([422, words]);
    expect(await findListed(id)).toEqual(before);
  });

  test("never changes fields that the server sets", async () => {
    const { id, url } = await uploadPicture();
    const sent = { url: "/uploads/x.png", size: 1, filename: "x", id: "x" };
    await owner.put(`/api/uploads/${id}`, sent);
    expect(await findListed(id)).toMatchObject({ id, url });
  });

  test("returns 404 for a removed picture", async () => {
    expect((await owner.put("/api/uploads/none", { alt: "x" })).status).toBe(404);
  });
});

describe("a picture's fields on the page", () => {
  test("the description is an attribute of the HTML, and the focus a style", async () => {
    const { id, url } = await uploadPicture();
    await owner.post("/api/hero", { backgroundImage: url });
    await owner.put(`/api/uploads/${id}`, { alt: "A full house", focus: FOCUS });
    const page = await fetchHomePage();
    expect(page).toContain('alt="A full house"');
    expect(page).toContain("--wide-at:");
    expect(page).toContain("--tall-at:");
    await owner.put(`/api/uploads/${id}`, { decorative: true, focus: null });
    const plain = await fetchHomePage();
    expect(plain).not.toContain("A full house");
    expect(plain).not.toContain("--wide-at:");
  });

  test("a cropped picture is loaded at a larger width", async () => {
    const { id, url } = await uploadPicture();
    await owner.post("/api/about", { image: url });
    const cut = { x: 30, y: 20, width: 22.5, height: 50 };
    await owner.put(`/api/uploads/${id}`, { cuts: { about: cut } });
    expect(await fetchHomePage()).toContain("calc(88vw * 2)");
  });
});

describe("POST /api/uploads/{id}/replace", () => {
  test("keeps the old picture's description, crops and uses, and the old picture can be restored", async () => {
    const old = await uploadPicture();
    await owner.put(`/api/uploads/${old.id}`, {
      alt: "On stage",
      focus: FOCUS,
      cuts: { about: CUT },
    });
    await owner.post("/api/hero", { backgroundImage: old.url });
    await owner.post("/api/about", { content: `<p>Me</p><img src="${old.url}">` });
    const poster = (await owner.post("/api/highlights", { title: "Night", imageUrl: old.url }))
      .body;
    const jpeg = await createPicture("jpeg", 800, 450);
    const { status, body } = await owner.post(
      `/api/uploads/${old.id}/replace`,
      createUploadForm(jpeg, "IMG_1.jpg"),
    );
    expect([status, body.alt, body.originalName]).toEqual([200, "On stage", "night.jpg"]);
    expect([body.focus, body.cuts]).toEqual([FOCUS, { about: CUT }]);
    expect(body.url).not.toBe(old.url);
    expect((await owner.get("/api/hero")).body.backgroundImage).toBe(body.url);
    expect((await owner.get("/api/about")).body.content).toContain(body.url);
    const posters = (await owner.get("/api/highlights")).body as { id: string; imageUrl: string }[];
    expect(posters.find(({ id }) => id === poster.id)!.imageUrl).toBe(body.url);
    expect((await site.visitor().get(old.url)).status).toBe(404);
    expect((await owner.post(`/api/bin/${old.id}/restore`)).status).toBe(200);
    expect((await site.visitor().get(old.url)).status).toBe(200);
  });

  test("with a picture of another ratio adapts the crops, which stay inside the new picture", async () => {
    const old = await uploadPicture();
    await owner.put(`/api/uploads/${old.id}`, { cuts: { poster: CUT } });
    const upright = await createPicture("png", 900, 1600);
    const { body } = await owner.post(
      `/api/uploads/${old.id}/replace`,
      createUploadForm(upright, "b.png"),
    );
    const { x, y, width, height } = body.cuts.poster;
    expect((width * 900) / (height * 1600)).toBeCloseTo(3 / 4, 3);
    expect([x + width <= 100.001, y + height <= 100.001, x >= 0, y >= 0]).not.toContain(false);
  });

  test("with a file that isn't a picture changes nothing", async () => {
    const old = await uploadPicture();
    await owner.post("/api/hero", { backgroundImage: old.url });
    const before = site.readStored();
    const words = new TextEncoder().encode("words");
    const { status } = await owner.post(
      `/api/uploads/${old.id}/replace`,
      createUploadForm(words, "a.png"),
    );
    expect(status).toBe(415);
    expect(site.readStored()).toBe(before);
  });

  const createLetter = async (url: string, more: object = {}) => {
    const sent = { subject: "News", body: `<p>Look</p><img src="${url}" alt="">` };
    const { id } = (await owner.post("/api/letters", sent)).body;
    await site.store.of(entities.letters).update(id, (letter) => ({ ...letter, ...more }));
    return async () => (await owner.get(`/api/letters/${id}`)).body.body as string;
  };
  const replacePicture = async (id: string) =>
    owner.post(
      `/api/uploads/${id}/replace`,
      createUploadForm(await createPicture("png", 64, 64), "b.png"),
    );
  const readAll = async () => (await owner.get("/api/uploads")).body as { id: string }[];

  test("puts the new picture into newsletters that aren't being sent", async () => {
    const old = await uploadPicture(64, 64);
    const texts = [
      await createLetter(old.url),
      await createLetter(old.url, { state: "scheduled", sendAt: "2999-01-01T00:00:00.000Z" }),
    ];
    const { body } = await replacePicture(old.id);
    for (const text of texts) expect(await text()).toContain(`src="${body.url}"`);
    expect((await site.visitor().get(old.url)).status).toBe(404);
  });

  test("leaves the old picture in newsletters that were sent", async () => {
    const startedAt = "2026-01-01T00:00:00.000Z";
    for (const more of [
      { state: "sent", startedAt },
      { state: "draft", startedAt },
    ]) {
      const old = await uploadPicture(64, 64);
      const [out, draft] = [await createLetter(old.url, more), await createLetter(old.url)];
      const { status, body } = await replacePicture(old.id);
      expect(status).toBe(200);
      expect(await draft()).toContain(body.url);
      expect(await out()).toContain(more.state === "sent" ? old.url : body.url);
      expect((await site.visitor().get(old.url)).status).toBe(200);
      expect(await findListed(old.id)).toMatchObject({ id: old.id });
    }
  });

  test("a replacement that fails halfway is reverted, with all uses of the picture", async () => {
    const old = await uploadPicture(64, 64);
    await owner.post("/api/hero", { backgroundImage: old.url });
    await owner.post("/api/about", { content: `<p>Me</p><img src="${old.url}">` });
    const before = [await readAll(), (await readdir(site.uploadsDir)).sort()];
    // The write after the new picture's.
    shouldFail = createJournalFault(2);
    const { status, body } = await replacePicture(old.id);
    shouldFail = () => false;
    expect([status, body.code]).toEqual([503, "cannot_store"]);
    expect([await readAll(), (await readdir(site.uploadsDir)).sort()]).toEqual(before);
    expect((await owner.get("/api/hero")).body.backgroundImage).toBe(old.url);
  });

  test("an old picture that can't be deleted stays listed, and the new picture is used everywhere", async () => {
    const old = await uploadPicture(64, 64);
    await owner.post("/api/hero", { backgroundImage: old.url });
    shouldFail = createJournalFault(3);
    const { status, body } = await replacePicture(old.id);
    shouldFail = () => false;
    expect(status).toBe(200);
    expect((await owner.get("/api/hero")).body.backgroundImage).toBe(body.url);
    expect(await findListed(old.id)).toMatchObject({ usedIn: [] });
  });

  test("of two simultaneous replacements the second gets 404, since the picture no longer exists", async () => {
    const old = await uploadPicture(64, 64);
    await owner.post("/api/hero", { backgroundImage: old.url });
    const { length } = await readAll();
    const answers = await Promise.all([replacePicture(old.id), replacePicture(old.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await readAll()).toHaveLength(length);
    const { url } = answers.find(({ status }) => status === 200)!.body;
    expect((await owner.get("/api/hero")).body.backgroundImage).toBe(url);
  });
});
