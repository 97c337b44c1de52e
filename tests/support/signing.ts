/** Keys and signatures for tests, and minisign itself if it is installed. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { readSecretKey, type SecretKey, signFile } from "../../src/build/sign.ts";

/** Debian's package; comparisons with it are skipped without it. */
export const MINISIGN = Bun.which("minisign");

/** The text of a secret key file, like that of `minisign -G -W`. */
export function createSecretKeyFile(): string {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const bytes = Buffer.concat([
    Buffer.from("Ed\0\0B2", "latin1"),
    Buffer.alloc(48),
    randomBytes(8),
    Buffer.from(d!, "base64url"),
    Buffer.from(x!, "base64url"),
    Buffer.alloc(32),
  ]);
  return `untrusted comment: minisign encrypted secret key\n${bytes.toString("base64")}\n`;
}

export const createSecretKey = (): SecretKey => readSecretKey(createSecretKeyFile());

/** Writes the signature beside a file. */
export async function writeSignature(
  path: string,
  key: SecretKey,
  comment = "test",
): Promise<void> {
  await writeFile(`${path}.minisig`, await signFile(path, key, comment));
}
