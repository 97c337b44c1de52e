/** Releases are signed so that both `limelight upgrade` and minisign accept them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReleaseKeyDefine } from "../../src/build/executable.ts";
import { readSecretKey, type SecretKey, signFile } from "../../src/build/sign.ts";
import { hashFile, readPublicKey, verifySignature } from "../../src/server/cli/upgrade/minisign.ts";
import {
  MINISIGN,
  createSecretKey,
  createSecretKeyFile,
  writeSignature,
} from "../support/signing.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-sign-"));
  file = join(folder, "program");
  // Larger than one chunk of a read.
  await writeFile(file, Buffer.alloc(3_000_000, "limelight"));
});
afterAll(() => rm(folder, { recursive: true }));

async function checkSignature(signature: string, key: SecretKey, path = file): Promise<string> {
  return verifySignature(signature, await hashFile(path), readPublicKey(key.publicKey));
}

describe("a signature", () => {
  const key = createSecretKey();
  let validSignature: string;
  beforeAll(async () => {
    validSignature = await signFile(file, key, "limelight 1.2.3");
  });

  test("by the right key for the same bytes is accepted, and its comment is returned", async () => {
    expect(await checkSignature(validSignature, key)).toBe("limelight 1.2.3");
  });

  test("by another key is refused, even if that key has the same id", async () => {
    const other = createSecretKey();
    await expect(checkSignature(validSignature, other)).rejects.toThrow(
      "was made with another key",
    );
    const pretending = { ...other, id: key.id };
    const forged = await signFile(file, pretending, "limelight 1.2.3");
    await expect(checkSignature(forged, key)).rejects.toThrow("doesn't match the file");
  });

  test("is refused for a file with one changed byte, or one byte less", async () => {
    const bytes = Buffer.from(await Bun.file(file).bytes());
    const changedBytes = Buffer.from(bytes).fill("x", 2_000_000, 2_000_001);
    for (const changed of [bytes.subarray(1), changedBytes]) {
      const path = join(folder, "changed");
      await writeFile(path, changed);
      await expect(checkSignature(validSignature, key, path)).rejects.toThrow(
        "doesn't match the file",
      );
    }
  });

  test("with a changed comment is refused", async () => {
    await expect(checkSignature(validSignature.replace("1.2.3", "9.9.9"), key)).rejects.toThrow(
      "altered comment",
    );
  });

  test("is refused with a message if it is truncated, invalid or in minisign's legacy format", async () => {
    const isRefused = async (text: string, why: string) =>
      expect(checkSignature(text, key)).rejects.toThrow(why);
    const lines = validSignature.split("\n");
    const older = Buffer.from(lines[1]!, "base64").fill("Ed", 0, 2).toString("base64");
    const cut = lines[1]!.slice(0, -20);
    const wrong = ["", "hello", lines.slice(0, 2).join("\n"), "x".repeat(100_000)];
    for (const text of [
      ...wrong,
      ...[older, cut].map((each) => validSignature.replace(lines[1]!, each)),
    ])
      await isRefused(text, "isn't in minisign's format");
    for (const global of ["", "AAAA"])
      await isRefused(validSignature.replace(lines[3]!, global), "altered comment");
  });
});

test("a public key is read from its line or its whole file, and any other text is refused with a message", () => {
  const { publicKey } = createSecretKey();
  const read = (text: string) => readPublicKey(text).id.toString("hex");
  expect(read(`untrusted comment: x\n${publicKey}\n`)).toBe(read(publicKey));
  for (const text of ["", "RW", publicKey.slice(4)])
    expect(() => read(text)).toThrow("a minisign public key");
});

test("the build puts its public key into the program", async () => {
  const module = join(import.meta.dir, "../../src/server/cli/upgrade/minisign.ts");
  const outputs = async (key: string | undefined) => {
    const built = await Bun.build({
      entrypoints: [module],
      target: "bun",
      define: createReleaseKeyDefine(key),
      outdir: join(folder, key ?? "none"),
    });
    return (await import(built.outputs[0]!.path)).getEmbeddedReleaseKey();
  };
  expect(await outputs("RWkey")).toBe("RWkey");
  expect(await outputs(undefined)).toBeUndefined();
});

/** Uses key files written by minisign; `-W` makes one without a password. */
describe.skipIf(!MINISIGN)("the program minisign (skipped where it is not installed)", () => {
  async function runMinisign(args: string[], typed = ""): Promise<number> {
    const child = Bun.spawn([MINISIGN!, ...args], {
      stdin: new TextEncoder().encode(typed),
      stdout: "ignore",
      stderr: "ignore",
    });
    return child.exited;
  }

  test("accepts our signatures, and makes signatures that we accept, except in the legacy format", async () => {
    const secret = join(folder, "secret");
    await writeFile(secret, createSecretKeyFile());
    const key = readSecretKey(await Bun.file(secret).text());
    await writeSignature(file, key, "limelight 1.2.3");
    const verify = ["-Vm", file, "-P", key.publicKey];
    expect(await runMinisign(verify)).toBe(0);
    await rm(`${file}.minisig`);
    expect(await runMinisign(["-S", "-s", secret, "-m", file, "-t", "by minisign"])).toBe(0);
    const signature = await Bun.file(`${file}.minisig`).text();
    expect(await checkSignature(signature, key)).toBe("by minisign");
    await runMinisign(["-S", "-l", "-s", secret, "-m", file]);
    const older = await Bun.file(`${file}.minisig`).text();
    await expect(checkSignature(older, key)).rejects.toThrow("isn't in minisign's format");
  });

  test("makes keys that our code can read", async () => {
    const [secret, open] = [join(folder, "s"), join(folder, "p")];
    expect(await runMinisign(["-G", "-W", "-s", secret, "-p", open])).toBe(0);
    const key = readSecretKey(await Bun.file(secret).text());
    expect((await Bun.file(open).text()).trim().split("\n")[1]).toBe(key.publicKey);
  });
});

test("a key with a password is read only with that password", () => {
  // Made for this test, with a low hashing cost: minisign's default takes a gigabyte and ten seconds.
  const secret =
    "RWRTY0IyBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcAAAgAAAAAAAAAAAEAAAAAs7800exHpn3KEDeb595gAGTkCbA19AO9funw/4g2d0KSIkkvNoREyHscnSFnfh6G7jaAov1KIxTJG1Bpg8p61M/I4i3ZssoeTJzvC2ZTIk1HFt0C+dL9AqYnarwR9aJePaH+FhMkVNw=";
  const key = readSecretKey(secret, "velvet");
  expect(key.publicKey).toBe("RWSygKOxjhbYI8LhakkUY5taIQ08Ym3gAMDuCBIyQxpbzEydXgPPI9Pv");
  expect(() => readSecretKey(secret, "silk")).toThrow("password is wrong");
  expect(() => readSecretKey(key.publicKey)).toThrow("isn't a minisign secret key");
});
