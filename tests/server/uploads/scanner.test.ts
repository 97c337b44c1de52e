/** Pictures go through a virus scanner first: Debian's clamd, with this test's own signature. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPicture } from "../../support/pictures.ts";
import {
  type Client,
  waitForValue,
  formatRefusal,
  type Site,
  startSite,
} from "../../support/testSite.ts";

const CLAMD = Bun.which("clamd", { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` });
const BAD = "limelight-test-signature";

let folder: string;
let site: Site;
let owner: Client;
let clamd: Bun.Subprocess | undefined;
const getSocketPath = () => join(folder, "clamd");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-scanner-"));
  site = await startSite({ env: { CLAMD: `unix:${getSocketPath()}` } });
  owner = await site.logInAsOwner();
});
afterAll(async () => {
  clamd?.kill();
  await clamd?.exited;
  await site.stop();
  await rm(folder, { recursive: true });
});

/** The socket exists before anyone listens on it. */
const isListening = () =>
  Bun.connect({ unix: getSocketPath(), socket: { data() {} } }).then(
    (line) => {
      line.end();
      return true;
    },
    () => false,
  );

/** A photograph with a comment, which is gone after rewriting. */
async function createCommentedPicture(words: string): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await createPicture("jpeg", 400, 300);
  const text = new TextEncoder().encode(words);
  const comment = [0xff, 0xfe, 0, text.length + 2, ...text];
  return Uint8Array.from([...jpeg.subarray(0, 2), ...comment, ...jpeg.subarray(2)]);
}

async function uploadWithComment(words: string) {
  const form = new FormData();
  form.set("file", new File([await createCommentedPicture(words)], "stage.jpg"));
  return owner.post("/api/upload", form);
}

test("while the virus scanner is unreachable uploads are refused, and the log says why", async () => {
  const { status, body } = await uploadWithComment("harmless");
  expect([status, body.error]).toEqual([
    503,
    "The virus scanner isn't responding, so the image wasn't uploaded. Try again in a few minutes.",
  ]);
  expect(site.log).toContainEqual(expect.stringMatching(/^uploads: the scanner at unix:.* failed/));
  expect((await owner.get("/api/uploads")).body).toEqual([]);
});

describe.skipIf(!CLAMD)(
  "with clamd (skipped where the package clamav-daemon isn't installed)",
  () => {
    beforeAll(async () => {
      const signatures = join(folder, "signatures");
      await mkdir(signatures);
      await Bun.write(
        join(signatures, "own.ndb"),
        `Test.Own:0:*:${Buffer.from(BAD).toString("hex")}\n`,
      );
      const config = join(folder, "clamd.conf");
      const settings = [
        `LocalSocket ${getSocketPath()}`,
        `DatabaseDirectory ${signatures}`,
        "Foreground yes",
      ];
      await Bun.write(config, `${settings.join("\n")}\n`);
      clamd = Bun.spawn([CLAMD!, "-c", config], { stdout: "ignore", stderr: "ignore" });
      await waitForValue(isListening, true);
    });

    test("an infected picture is refused with a message and not listed, and a harmless one is accepted", async () => {
      const bad = await uploadWithComment(BAD);
      expect(formatRefusal(bad)).toBe(
        "422 The virus scanner flagged this image, so it wasn't uploaded.",
      );
      expect(site.log).toContainEqual(
        expect.stringMatching(/^uploads: the scanner rejected an image \(Test\.Own/),
      );
      expect((await owner.get("/api/uploads")).body).toEqual([]);
      expect((await uploadWithComment("harmless")).status).toBe(201);
    });
  },
);
