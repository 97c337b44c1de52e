/**
 * Verifies release signatures in minisign's format: Ed25519 over a file's BLAKE2b-512
 * (https://jedisct1.github.io/minisign/). Anyone can do the same with `minisign -Vm`.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import { cannotOpen, wrongUsage } from "../../shared/errors.ts";

/** A key whose signatures are accepted. */
export interface PublicKey {
  /** Eight bytes that identify the key. */
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** Reads a public key: its line of base64, or the file that `minisign -G` wrote. Throws `usage`. */
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

/** The public key embedded by the build; undefined without one, or when run from source. */
export function releaseKey(): string | undefined {
  return typeof RELEASE_KEY === "undefined" ? undefined : RELEASE_KEY;
}

const COMMENT = "trusted comment: ";

/**
 * Verifies the signature (the text of the `.minisig`) of a file with this BLAKE2b-512. Returns the trusted comment,
 * such as "limelight 0.2.0 linux-x64", which is signed too. Throws `cannot_open`.
 */
export function verifySignature(
  signature: string,
  hash: Uint8Array,
  { id, key }: PublicKey,
): string {
  const [, first = "", second = "", third = ""] = signature.split(/\r?\n/, 4);
  const [own, global] = [Buffer.from(first, "base64"), Buffer.from(third, "base64")];
  // ED: hashed before signing; minisign's older format, Ed, would need the whole file in memory.
  if (own.length !== 74 || own.subarray(0, 2).toString() !== "ED" || !second.startsWith(COMMENT))
    throw refused("isn't in minisign's format");
  if (!own.subarray(2, 10).equals(id)) throw refused("was made with another key");
  const [bytes, comment] = [own.subarray(10), second.slice(COMMENT.length)];
  if (!verify(null, hash, key, bytes)) throw refused("doesn't match the file");
  if (!verify(null, Buffer.concat([bytes, Buffer.from(comment)]), key, global))
    throw refused("has an altered comment");
  return comment;
}

const refused = (why: string) =>
  cannotOpen(
    `The signature ${why}. Nothing was changed: download the file and its .minisig again.`,
  );

/** The BLAKE2b-512 of a file of any size. */
export async function hashOf(path: string): Promise<Uint8Array> {
  const hash = new Bun.CryptoHasher("blake2b512");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }))
    hash.update(chunk as Buffer);
  return hash.digest();
}
