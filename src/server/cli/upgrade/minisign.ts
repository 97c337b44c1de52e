/**
 * Verifies release signatures in minisign's format: Ed25519 over a file's BLAKE2b-512
 * (https://jedisct1.github.io/minisign/). Anyone can do the same with `minisign -Vm`.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { cannotOpen, wrongUsage } from "../../shared/errors.ts";

export interface PublicKey {
  /** The eight bytes that identify the key in a signature. */
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** Reads a public key: the text of a file that `minisign -G` wrote, or only its line of base64. Throws `usage`. */
export function readPublicKey(text: string): PublicKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== 42 || bytes.subarray(0, 2).toString() !== "Ed")
    throw wrongUsage(
      "That isn't a minisign public key. Use the line that begins with RW, or the file that contains it.",
    );
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.subarray(10).toString("base64url") };
  return { id: bytes.subarray(2, 10), key: createPublicKey({ key: jwk, format: "jwk" }) };
}

declare const RELEASE_KEY: string | undefined;

/** Returns the public key in the executable; undefined if the build had none, or when running from source. */
export function getEmbeddedReleaseKey(): string | undefined {
  return typeof RELEASE_KEY === "undefined" ? undefined : RELEASE_KEY;
}

const TRUSTED_COMMENT_PREFIX = "trusted comment: ";

/**
 * Verifies `signature`, the text of a `.minisig` file, against a file's BLAKE2b-512. Returns the trusted comment, such
 * as "limelight 0.2.0 linux-x64", which is signed too. Throws `cannot_open`.
 */
export function verifySignature(signature: string, hash: Uint8Array, { id, key }: PublicKey) {
  const [, signatureLine = "", commentLine = "", globalSignatureLine = ""] = signature.split(
    /\r?\n/,
    4,
  );
  const [signatureBytes, globalSignature] = [
    Buffer.from(signatureLine, "base64"),
    Buffer.from(globalSignatureLine, "base64"),
  ];
  const algorithm = signatureBytes.subarray(0, 2).toString();
  // "ED" marks a signature of the file's hash. The older "Ed" signs the file itself, which would have to be in memory.
  if (
    signatureBytes.length !== 74 ||
    algorithm !== "ED" ||
    !commentLine.startsWith(TRUSTED_COMMENT_PREFIX)
  )
    throw createSignatureRefusal("isn't in minisign's format");
  if (!signatureBytes.subarray(2, 10).equals(id))
    throw createSignatureRefusal("was made with another key", OTHER_KEY_ADVICE);
  const fileSignature = signatureBytes.subarray(10);
  const comment = commentLine.slice(TRUSTED_COMMENT_PREFIX.length);
  if (!verify(null, hash, key, fileSignature))
    throw createSignatureRefusal("doesn't match the file");
  if (!verify(null, Buffer.concat([fileSignature, Buffer.from(comment)]), key, globalSignature))
    throw createSignatureRefusal("has an altered comment");
  return comment;
}

const createSignatureRefusal = (problem: string, advice = DOWNLOAD_AGAIN_ADVICE) =>
  cannotOpen(`The signature ${problem}. Nothing was changed. ${advice}`);

const DOWNLOAD_AGAIN_ADVICE = "Download the file and its .minisig again.";
const OTHER_KEY_ADVICE =
  "Use a file from the same publisher as this program, or pass the signer's public key with --key.";

/** Returns the BLAKE2b-512 of a file, without loading the whole file into memory. */
export async function hashFile(path: string): Promise<Uint8Array> {
  const hash = new Bun.CryptoHasher("blake2b512");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    hash.update(chunk as Buffer);
  return hash.digest();
}
