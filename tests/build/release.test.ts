/** A release as it is published, checked with the tools that an operator has. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { findProgramPackages } from "../../src/build/billOfMaterials.ts";
import { parseBuildOptions } from "../../src/build/options.ts";
import { readReleaseKey, writeRelease } from "../../src/build/release.ts";
import { verifyHash, RUNTIMES, TARGETS } from "../../src/build/runtimes.ts";
import { hashFile, readPublicKey, verifySignature } from "../../src/server/cli/upgrade/minisign.ts";
import { getProgramPath } from "../support/program.ts";
import { MINISIGN, createSecretKey, createSecretKeyFile } from "../support/signing.ts";

const { version } = packageJson;
const key = createSecretKey();
let root: string;
let folder: string;
let files: string[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-release-"));
  folder = join(root, "release");
  // One real program for this machine, and a small file in place of the other program.
  const other = join(root, "other");
  await writeFile(other, "another machine's program");
  files = await writeRelease({
    folder,
    programPaths: { [TARGETS[0]]: getProgramPath(), [TARGETS[1]]: other },
    key,
  });
});
afterAll(() => rm(root, { recursive: true }));

const readFile = (name: string) => Bun.file(join(folder, name)).text();
const run = (command: string[]) =>
  Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "ignore" }).exited;

describe("a release", () => {
  const programs = TARGETS.map((target) => `limelight-${version}-${target}`);
  const deployed = [
    "limelight.service",
    "limelight@.service",
    "limelightctl",
    "Containerfile",
    "compose.yaml",
    "haproxy.cfg",
  ];
  const materials = [`limelight-${version}.cdx.json`, "NOTICES.txt"];
  const signed = [...programs, ...materials, ...deployed, "SHA256SUMS"];

  test("contains exactly the expected files: programs, licenses, server files, checksums, signatures and the public key", async () => {
    const all = [...signed, ...signed.map((name) => `${name}.minisig`), "limelight.pub"];
    expect(files.toSorted()).toEqual(all.toSorted());
    expect((await readdir(folder)).toSorted()).toEqual(all.toSorted());
  });

  test("has checksums that sha256sum confirms, and that fail for a changed file", async () => {
    expect(await run(["sha256sum", "--strict", "-c", "SHA256SUMS"])).toBe(0);
    await writeFile(join(folder, programs[1]!), "something else");
    expect(await run(["sha256sum", "-c", "SHA256SUMS"])).toBe(1);
    await writeFile(join(folder, programs[1]!), "another machine's program");
  });

  test("has valid signatures, which contain the version and the file's name", async () => {
    const open = readPublicKey(await readFile("limelight.pub"));
    for (const name of signed) {
      const hash = await hashFile(join(folder, name));
      const comment = verifySignature(await readFile(`${name}.minisig`), hash, open);
      expect(comment).toStartWith(`limelight ${version} ${name} 20`);
    }
  });

  test.skipIf(!MINISIGN)("is accepted by minisign (skipped where not installed)", async () => {
    for (const name of signed)
      expect(await run([MINISIGN!, "-Vm", name, "-p", "limelight.pub"])).toBe(0);
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly "bom-ref": string;
  readonly licenses: unknown[];
  readonly hashes?: { readonly content: string }[];
  readonly components?: readonly Component[];
}

interface BillOfMaterials {
  readonly components: Component[];
  readonly dependencies: { readonly ref: string; readonly dependsOn: string[] }[];
}

describe("the bill of materials", () => {
  let bill: BillOfMaterials;
  beforeAll(async () => {
    bill = JSON.parse(await readFile(`limelight-${version}.cdx.json`));
  });

  test("names everything in the build with its version, including Bun and indirect dependencies", () => {
    const named = new Map(bill.components.map((each) => [each.name, each.version]));
    for (const [name, exact] of Object.entries(packageJson.dependencies))
      expect([name, named.get(name)]).toEqual([name, exact]);
    expect(named.get("bun")).toBe(Bun.version);
    expect(named.has("@fontsource/lato")).toBe(true);
    // Only a dependency needs this package.
    expect(named.has("memoirist")).toBe(true);
    for (const tool of ["typescript", "playwright-core", "oxlint"])
      expect([tool, named.has(tool)]).toEqual([tool, false]);
  });

  test("gives each component a license, and each package a package URL and a hash", () => {
    for (const { name, purl, licenses, hashes } of bill.components) {
      expect([name, licenses.length]).toEqual([name, 1]);
      if (name === "bun") continue;
      expect(purl).toStartWith(`pkg:npm/${name.replace("@", "%40")}@`);
      expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  test("has the hash of each Bun runtime, and the build refuses a runtime with another hash", async () => {
    const runtimes = bill.components.find(({ name }) => name === "bun")!.components!;
    expect(runtimes.map(({ name }) => name)).toEqual(
      TARGETS.map((target) => RUNTIMES[target].name),
    );
    for (const { version: exact, hashes } of runtimes) {
      expect(exact).toBe(Bun.version);
      expect(hashes![0]!.content).toMatch(/^[0-9a-f]{128}$/);
    }
    const archive = join(root, "runtime.tgz");
    await writeFile(archive, "a runtime");
    const sha512 = new Bun.CryptoHasher("sha512").update("a runtime").digest("base64");
    const runtime = { ...RUNTIMES["linux-x64"], sha512 };
    await verifyHash(archive, runtime);
    await writeFile(archive, "a runtimf");
    await expect(verifyHash(archive, runtime)).rejects.toThrow(
      "doesn't match src/build/runtimes.ts",
    );
  });

  test("names exactly the components that the program contains", () => {
    const references = bill.components.map((each) => each["bom-ref"]);
    expect(new Set(references).size).toBe(references.length);
    const reached = new Set<string>();
    const visit = (ref: string) => {
      if (reached.has(ref)) return;
      reached.add(ref);
      bill.dependencies.find((each) => each.ref === ref)?.dependsOn.forEach(visit);
    };
    visit(bill.dependencies[0]!.ref);
    reached.delete(bill.dependencies[0]!.ref);
    expect([...reached].toSorted()).toEqual(references.toSorted());
  });
});

describe("the licenses", () => {
  test('name every package in the program, and "limelight help licenses" shows them', async () => {
    const text = await readFile("NOTICES.txt");
    const packages = await findProgramPackages();
    expect(packages.length).toBeGreaterThan(50);
    const lines = new Set(text.split("\n"));
    for (const { name, version: exact } of packages) expect(lines).toContain(`${name} ${exact}`);
    // This package has its license in its README only.
    expect(text).toContain("https-proxy-agent 5.0.1\n\nLicense\n-------\n\n(The MIT License)");
    const { stdout, exitCode } = Bun.spawnSync([getProgramPath(), "help", "licenses"]);
    expect([exitCode, stdout.toString() === text]).toEqual([0, true]);
  });
});

describe("the options of a build", () => {
  test("are parsed, and invalid options are refused with a message", () => {
    expect(parseBuildOptions(["--target", "linux-arm64"])).toEqual({
      release: false,
      unaudited: false,
      webOnly: false,
      target: "linux-arm64",
    });
    const wrong = {
      "--target windows": 'Unknown target "windows". Use linux-x64 or linux-arm64.',
      "--release --target linux-x64": "Use only one of --release",
      "--web-only --target linux-x64": "Use only one of --release",
      "--unaudited": "--unaudited is for --release alone.",
      "--relaese": "Unknown option '--relaese'",
    };
    for (const [args, words] of Object.entries(wrong))
      expect(() => parseBuildOptions(args.split(" "))).toThrow(words);
  });
});

describe("the key that signs a release", () => {
  test("comes from a file or from the environment, never from the repository", async () => {
    const text = createSecretKeyFile();
    const file = join(root, "secret.key");
    await writeFile(file, text);
    const secret = await readReleaseKey({ RELEASE_KEY: text });
    expect((await readReleaseKey({ RELEASE_KEY_FILE: file })).publicKey).toBe(secret.publicKey);
    await expect(readReleaseKey({})).rejects.toThrow("no key to sign the release with");
    const inside = join(import.meta.dir, "secret.key");
    await expect(readReleaseKey({ RELEASE_KEY_FILE: inside })).rejects.toThrow(
      "is inside the repository",
    );
  });
});
