/** Keys and signatures for tests, and minisign itself if it is installed. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { readSecretKey, type SecretKey, signFile } from "../../src/build/sign.ts";

/** The path of minisign, from Debian's package. Comparisons with it are skipped if it isn't installed. */
export const MINISIGN = Bun.which("minisign");

/** Creates the text of a secret key file, as `minisign -G -W` does. */
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

/** Writes a file's signature beside the file. */
export async function writeSignature(
  path: string,
  key: SecretKey,
  comment = "test",
): Promise<void> {
  await writeFile(`${path}.minisig`, await signFile(path, key, comment));
}
