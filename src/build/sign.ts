/** Signs releases in minisign's format, with a key from `minisign -G`. */
import { createPrivateKey, type KeyObject, scryptSync, sign } from "node:crypto";
import { hashFile } from "../server/cli/upgrade/minisign.ts";

export interface SecretKey {
  readonly id: Buffer;
  readonly key: KeyObject;
  /** The line for `limelight upgrade --key` and `minisign -P`. */
  readonly publicKey: string;
}

const WRONG_KEY_MESSAGE = "This isn't a minisign secret key, or the password is wrong.";

/** Reads the file that `minisign -G` wrote, or its last line. A key from `minisign -G -W` needs no password. */
export function readSecretKey(text: string, password = ""): SecretKey {
  const bytes = Buffer.from(text.trim().split(/\r?\n/).at(-1) ?? "", "base64");
  if (bytes.length !== 158 || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error(WRONG_KEY_MESSAGE);
  const body = bytes.subarray(54);
  if (bytes.toString("latin1", 2, 4) === "Sc") decrypt(body, bytes, password);
  const [id, seed, point] = [body.subarray(0, 8), body.subarray(8, 40), body.subarray(40, 72)];
  const [d, x] = [seed, point].map((part) => part.toString("base64url"));
  return {
    id,
    key: createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" }),
    publicKey: Buffer.concat([Buffer.from("Ed"), id, point]).toString("base64"),
  };
}

/** Decrypts a key in place. Throws if the key's checksum doesn't match, as after a wrong password. */
function decrypt(body: Buffer, keyBytes: Buffer, password: string): void {
  const salt = keyBytes.subarray(6, 38);
  const stream = scryptSync(password, salt, body.length, computeScryptCost(keyBytes));
  for (const [index, byte] of body.entries()) body[index] = byte ^ stream.readUInt8(index);
  const checksum = new Bun.CryptoHasher("blake2b256")
    .update(keyBytes.subarray(0, 2))
    .update(body.subarray(0, 72))
    .digest();
  if (!body.subarray(72).equals(checksum)) throw new Error(WRONG_KEY_MESSAGE);
}

/** Returns scrypt's parameters for the limits in the key, like pickparams in libsodium's scryptsalsa208sha256. */
function computeScryptCost(keyBytes: Buffer) {
  const operations = Number(keyBytes.readBigUInt64LE(38));
  const memory = Number(keyBytes.readBigUInt64LE(46));
  const r = 8;
  const isSmall = operations < memory / 32;
  const maxCost = isSmall ? operations / (r * 4) : memory / (r * 128);
  const N = 2 ** Math.floor(Math.log2(maxCost));
  const p = isSmall ? 1 : Math.floor(Math.min(operations / 4 / N, 0x3fffffff) / r);
  return { N, r, p, maxmem: 2 * memory };
}

/** Returns the text of a file's `.minisig`. The signature also covers `comment`. */
export async function signFile(path: string, secret: SecretKey, comment: string): Promise<string> {
  const signature = sign(null, await hashFile(path), secret.key);
  const globalSignature = sign(null, Buffer.concat([signature, Buffer.from(comment)]), secret.key);
  const signatureBytes = Buffer.concat([Buffer.from("ED"), secret.id, signature]);
  return [
    "untrusted comment: signature from a minisign secret key",
    signatureBytes.toString("base64"),
    `trusted comment: ${comment}`,
    globalSignature.toString("base64"),
    "",
  ].join("\n");
}
