/**
 * Writes a release: the programs, a bill of materials, licenses, files for servers and checksums, each with a
 * signature, and the public key. `limelight upgrade`, `sha256sum -c` and `minisign -V` read these files.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { SYSTEMD_UNITS } from "../server/cli/installedService.ts";
import { createBillOfMaterials } from "./billOfMaterials.ts";
import { createLicenseNotices } from "./licenseNotices.ts";
import { readSecretKey, type SecretKey, signFile } from "./sign.ts";

interface ReleaseOptions {
  /** The output folder, which is emptied first. */
  readonly folder: string;
  /** The paths of the compiled programs, by target. */
  readonly programPaths: Readonly<Record<string, string>>;
  readonly key: SecretKey;
  readonly now?: Date;
}

export async function writeRelease(options: ReleaseOptions): Promise<string[]> {
  const { folder, programPaths, key, now = new Date() } = options;
  const { version } = packageJson;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const names: string[] = [];
  for (const [target, programPath] of Object.entries(programPaths)) {
    const name = `limelight-${version}-${target}`;
    await copyFile(programPath, join(folder, name));
    names.push(name);
  }
  const bill = await createBillOfMaterials(version, now);
  const texts = {
    [`limelight-${version}.cdx.json`]: `${JSON.stringify(bill, null, 2)}\n`,
    // Also shown by `limelight help licenses`.
    "NOTICES.txt": await createLicenseNotices(),
    ...(await readDeployFiles()),
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  names.push(...Object.keys(texts));

  const checksumLines = await Promise.all(
    names.map(async (name) => `${await computeSha256(join(folder, name))}  ${name}\n`),
  );
  await writeFile(join(folder, "SHA256SUMS"), checksumLines.join(""));
  names.push("SHA256SUMS");

  const signatures = names.map(async (name) => {
    const comment = `limelight ${version} ${name} ${now.toISOString()}`;
    const signature = await signFile(join(folder, name), key, comment);
    await writeFile(join(folder, `${name}.minisig`), signature);
    return `${name}.minisig`;
  });
  names.push(...(await Promise.all(signatures)));
  const publicKeyText = `untrusted comment: Limelight's public key\n${key.publicKey}\n`;
  await writeFile(join(folder, "limelight.pub"), publicKeyText);
  return [...names, "limelight.pub"];
}

async function readDeployFiles(): Promise<Record<string, string>> {
  const folder = join(import.meta.dir, "../../docs/deploy");
  const names = ["limelightctl", "Containerfile", "compose.yaml", "haproxy.cfg"];
  const files = names.map(
    async (name) => [name, await readFile(join(folder, name), "utf8")] as const,
  );
  return { ...SYSTEMD_UNITS, ...Object.fromEntries(await Promise.all(files)) };
}

async function computeSha256(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

const RELEASE_KEY_ADVICE =
  "Set RELEASE_KEY_FILE to the file of the secret key, or RELEASE_KEY to its contents (and RELEASE_KEY_PASSWORD to its password). `minisign -G` creates one.";

/** Reads the signing key that RELEASE_KEY_FILE or RELEASE_KEY sets. Rejects a file inside the repository. */
export async function readReleaseKey(
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretKey> {
  const file = env["RELEASE_KEY_FILE"];
  if (file && !relative(join(import.meta.dir, "../.."), resolve(file)).startsWith(".."))
    throw new Error(`${file} is inside the repository. Store the secret key elsewhere.`);
  const text = file ? await readFile(file, "utf8") : env["RELEASE_KEY"];
  if (!text) throw new Error(`There is no key to sign the release with. ${RELEASE_KEY_ADVICE}`);
  return readSecretKey(text, env["RELEASE_KEY_PASSWORD"]);
}
