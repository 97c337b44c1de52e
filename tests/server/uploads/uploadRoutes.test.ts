/** The calls for uploaded pictures, and serving them (specification, section 7.2). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import {
  FILE_TOO_LARGE_MESSAGE,
  uploads,
  WRONG_TYPE_MESSAGE,
} from "../../../src/schema/pictures/uploads.ts";
import { concatBytes, createPicture } from "../../support/pictures.ts";
import {
  type TestResponse,
  waitForValue,
  ownerOf,
  setUpSiteForAll,
  startSite,
} from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);
let png: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  png = await createPicture("png", 400, 300);
});

function createUploadForm(...files: (File | string)[]): FormData {
  const data = new FormData();
  for (const file of files) data.append("file", file as never);
  return data;
}
const uploadBytes = (bytes: Uint8Array<ArrayBuffer>, name = "a.png") =>
  owner.post("/api/upload", createUploadForm(new File([bytes], name)));
const listFiles = async () => (await readdir(site.uploadsDir)).sort();

describe("POST /api/upload", () => {
  test("returns 201 with the picture, which is listed first and served at once", async () => {
    const { status, body } = await uploadBytes(png, "On stage.png");
    expect(status).toBe(201);
    expect(body).toMatchObject({
      originalName: "On stage.png",
      mimetype: "image/png",
      url: `/uploads/${body.filename}`,
      width: 400,
      height: 300,
      widths: [320, 400],
    });
    expect(body.filename).toMatch(/^[0-9a-f]{32}\.png$/);
    const [first] = (await owner.get("/api/uploads")).body;
    expect(first).toEqual({ ...body, usedIn: [] });
    expect((await site.visitor().get(body.url)).status).toBe(200);
  });

  test("accepts a picture without a name", async () => {
    const bytes = concatBytes(
      '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n',
      "Content-Type: image/png\r\n\r\n",
      png,
      "\r\n--b--\r\n",
    );
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const { status, body } = await owner.call("POST", "/api/upload", bytes, type);
    expect([status, body.originalName]).toEqual([201, "picture"]);
  });

  test("several simultaneous uploads are all stored, each with its own bytes", async () => {
    const widths = [51, 52, 53, 54, 55, 56, 57, 58];
    const pictures = await Promise.all(widths.map((width) => createPicture("png", width, 20)));
    const answers = await Promise.all(pictures.map((bytes) => uploadBytes(bytes)));
    expect(answers.map(({ body }) => body.width)).toEqual(widths);
    const listed = (await owner.get("/api/uploads")).body.map(({ id }: { id: string }) => id);
    for (const { body } of answers) expect(listed).toContain(body.id);
  });
});

describe("a refused upload says why and changes nothing", () => {
  let before: [string, string[]];
  beforeEach(async () => {
    before = [site.readStored(), await listFiles()];
  });
  async function expectRefused(answer: TestResponse, status: number, words?: string | RegExp) {
    expect([answer.status, typeof answer.body.error]).toEqual([status, "string"]);
    if (words) expect(answer.body.error).toMatch(words);
    expect([site.readStored(), await listFiles()]).toEqual(before);
  }

  test("415 with the specification's message for a file that isn't a picture", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await expectRefused(
      await uploadBytes(concatBytes(svg), "picture.png"),
      415,
      WRONG_TYPE_MESSAGE,
    );
  });

  test("413 with the specification's message above 5 MB, and for a body above 6 MB", async () => {
    await expectRefused(
      await uploadBytes(concatBytes(png, new Uint8Array(5 * 1024 * 1024))),
      413,
      FILE_TOO_LARGE_MESSAGE,
    );
    await expectRefused(
      await uploadBytes(new Uint8Array(7 * 1024 * 1024)),
      413,
      FILE_TOO_LARGE_MESSAGE,
    );
  });

  test("422 for two parts, no part, or text instead of a file", async () => {
    const file = new File([png], "a.png");
    await expectRefused(
      await owner.post("/api/upload", createUploadForm(file, file)),
      422,
      "one image",
    );
    await expectRefused(await owner.post("/api/upload", createUploadForm()), 422, "one image");
    await expectRefused(
      await owner.post("/api/upload", createUploadForm("text")),
      422,
      "one image",
    );
    const other = new FormData();
    other.set("picture", file);
    await expectRefused(await owner.post("/api/upload", other), 422, "one image");
  });

  test("415 for JSON and for bare bytes, 400 for a broken form", async () => {
    await expectRefused(await owner.post("/api/upload", { file: "x" }), 415);
    await expectRefused(await owner.post("/api/upload", png, { "content-type": "image/png" }), 415);
    const broken = { "content-type": "multipart/form-data; boundary=x" };
    await expectRefused(await owner.post("/api/upload", "--y\r\n\r\nno", broken), 400);
  });

  test("503 when the picture can't be stored", async () => {
    await rename(site.uploadsDir, `${site.uploadsDir}.away`);
    const { status, body } = await uploadBytes(png);
    await rename(`${site.uploadsDir}.away`, site.uploadsDir);
    expect([status, body.code]).toEqual([503, "cannot_store"]);
    expect([site.readStored(), await listFiles()]).toEqual(before);
    expect((await uploadBytes(png)).status).toBe(201);
  });
});

test.each([
  ["../../etc/passwd.png", "passwd.png"],
  ["C:\\Users\\me\\on stage.png", "on stage.png"],
  ["exe\u202Egnp.png", "exegnp.png"],
  ["a\u001bb\u0007.png", "ab.png"],
  ["x".repeat(5000), "x".repeat(200)],
  [`${"x".repeat(5000)}.jpeg`, `${"x".repeat(195)}.jpeg`],
  // As browsers send a quotation mark (HTML, multipart form data).
  ["5%22 heels, 100%25.png", '5" heels, 100%25.png'],
  ["<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"],
])(
  "a file named %j is stored under a name chosen by the server, and shown under a cleaned-up name",
  async (name, shown) => {
    const { status, body } = await uploadBytes(png, name);
    expect(status).toBe(201);
    expect(body.originalName).toBe(shown);
    expect(body.filename).toMatch(/^[0-9a-f]{32}\.png$/);
  },
);

describe("GET /uploads/{filename}", () => {
  let url: string;
  let size: number;
  beforeAll(async () => {
    const { body } = await uploadBytes(png);
    url = body.url;
    size = body.size;
  });
  const fetchUpload = (headers = {}, path = url) => site.visitor().get(path, headers);
  const getDiskPath = (path: string) => join(site.uploadsDir, path.slice("/uploads/".length));

  test("sends a fixed content type, nosniff, a sandbox policy and immutable caching with pictures and variants", async () => {
    for (const [path, type] of [
      [url, "image/png"],
      [url.replace(".png", "-320.webp"), "image/webp"],
    ] as const) {
      const { status, headers } = await fetchUpload({}, path);
      expect([status, headers.get("content-type")]).toEqual([200, type]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
  });

  test("returns 304 to a client that has the file, and ranges on request", async () => {
    const etag = (await fetchUpload()).headers.get("etag")!;
    expect((await fetchUpload({ "if-none-match": etag })).status).toBe(304);
    const part = await fetchUpload({ range: "bytes=0-9" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 0-9/${size}`]);
    expect((await fetchUpload({ range: "bytes=99999999-" })).status).toBe(416);
    expect((await fetchUpload({ range: "bytes=z" })).status).toBe(200);
    expect((await site.visitor().call("HEAD", url)).headers.get("content-length")).toBe(
      String(size),
    );
  });

  test("sends the same response from memory as from the disk", async () => {
    const { body } = await uploadBytes(png);
    for (const path of [body.url, body.url.replace(".png", "-320.webp")]) {
      const answer = async (): Promise<unknown> => {
        const { headers, text, status } = await fetchUpload({}, path);
        headers.delete("date");
        return [status, [...headers], text];
      };
      const first = await answer();
      for (let round = 0; round < 2; round++) expect(await answer()).toEqual(first);
      /** Responds while the file isn't on the disk, which succeeds once it is in memory. */
      const withoutDisk = async () => {
        await rename(getDiskPath(path), `${getDiskPath(path)}.moved`);
        return answer().finally(() => rename(`${getDiskPath(path)}.moved`, getDiskPath(path)));
      };
      await waitForValue(withoutDisk, first);
      const part = await fetchUpload({ range: "bytes=0-9" }, path);
      expect([part.status, part.text.length > 0]).toEqual([206, true]);
    }
  });

  test("serves only regular files whose names the server has made", async () => {
    await Bun.write(join(site.uploadsDir, "secret.png"), png);
    const linked = `${"b".repeat(32)}.png`;
    await symlink("/etc/hostname", join(site.uploadsDir, linked));
    const stem = url.slice("/uploads/".length, -4);
    const others = [`${stem}.svg`, `${stem}-1.webp`, `${stem.toUpperCase()}.png`, `${stem}.png%00`];
    for (const name of ["secret.png", linked, ...others, "..%2fdata%2fsecret"])
      expect([name, (await fetchUpload({}, `/uploads/${name}`)).status]).toEqual([name, 404]);
    await rm(join(site.uploadsDir, linked));
  });
});

test("a picture's usedIn names the tabs that use the picture, also while it is in the trash", async () => {
  const { body } = await uploadBytes(png);
  await owner.post("/api/hero", { backgroundImage: body.url });
  await owner.post("/api/about", { image: body.url });
  await owner.post("/api/letters", { subject: "News", body: `<p><img src="${body.url}"></p>` });
  const usedIn = ["About", "Hero", "Newsletters"];
  const [first] = (await owner.get("/api/uploads")).body;
  expect({ ...first, usedIn: first.usedIn.sort() }).toEqual({ ...body, usedIn });
  await owner.delete(`/api/uploads/${body.id}`);
  const [binned] = (await owner.get("/api/bin")).body;
  expect([binned.id, binned.usedIn.sort()]).toEqual([body.id, usedIn]);
});

test("a save of a picture returns the list's new ETag, and is refused with an outdated If-Match", async () => {
  const { body } = await uploadBytes(png);
  const path = `/api/uploads/${body.id}`;
  const etag = async () => (await owner.get("/api/uploads")).headers.get("etag")!;
  const first = await etag();
  const written = await owner.put(path, { alt: "One" }, { "if-match": first });
  expect([written.status, written.headers.get("x-previous-etag")]).toEqual([200, first]);
  expect(written.headers.get("etag")).toBe(await etag());
  const refused = await owner.put(path, { alt: "Two" }, { "if-match": first });
  expect([refused.status, refused.body.current[0].alt]).toEqual([412, "One"]);
  expect((await owner.delete(path, { "if-match": first })).status).toBe(412);
  expect((await site.visitor().get(body.url)).status).toBe(200);
  const deleted = await owner.delete(path, { "if-match": await etag() });
  expect([deleted.status, deleted.headers.get("etag")]).toEqual([204, await etag()]);
});

test("the list of pictures never exceeds its limit, however many uploads are simultaneous", async () => {
  const list = site.store.of(entities.uploads);
  const { value: before } = list.read();
  const more = uploads.maxItems - 1 - before.length;
  await list.update((all) => [
    ...all,
    ...Array.from({ length: more }, () => ({ ...all[0]!, id: Bun.randomUUIDv7() })),
  ]);
  const answers = await Promise.all([uploadBytes(png), uploadBytes(png), uploadBytes(png)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(list.read().value).toHaveLength(uploads.maxItems);
  await list.update(() => before);
});
