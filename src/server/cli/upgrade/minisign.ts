/**
 * Verifies release signatures in minisign's format: Ed25519 over a file's BLAKE2b-512
 * (https://jedisct1.github.io/minisign/). Anyone can do the same with `minisign -Vm`.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { createReadStream } from "node:fs";
import * as v from "valibot";
import { cannotOpen, wrongUsage } from "../../shared/errors.ts";

/** A key whose signatures are accepted. */
export interface PublicKey {
  /** Eight bytes that identify the key. */
  readonly id: Buffer;
  readonly key: KeyObject;
}

/** The signed comment in a signature, such as "limelight 0.2.0 linux-x64". */
export type TrustedComment = string;

/** The format of a signature file; every line is non-empty and terminated. */
const SIGNATURE = v.pipe(
  v.string(),
  v.maxLength(10_000),
  v.regex(/^untrusted comment: .*\n[\w+/=]+\r?\ntrusted comment: .*\n[\w+/=]+\s*$/),
);

/** Hashed before signing; minisign's older format, "Ed", would need the whole file in memory. */
const PREHASHED = "ED";

/** Reads a public key: its line of base64, or the file that `minisign -G` wrote. Throws `usage`. */
export function readPublicKey(text: string): PublicKey {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== 42 || bytes.subarray(0, 2).toString() !== "Ed")
    throw wrongUsage(
      "That isn't a minisign public key. Use the line that begins with RW, or the file that contains it.",
    );
  return { id: bytes.subarray(2, 10), key: ed25519(bytes.subarray(10)) };
}

function ed25519(raw: Buffer): KeyObject {
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") };
  return createPublicKey({ key: jwk, format: "jwk" });
}

declare const RELEASE_KEY: string | undefined;

/** The public key embedded by the build; undefined without one, or when run from source. */
export function releaseKey(): string | undefined {
  return typeof RELEASE_KEY === "undefined" ? undefined : RELEASE_KEY;
}

/**
 * Verifies the signature (the text of the `.minisig`) of a file with this BLAKE2b-512. Returns the trusted comment.
 * Throws `cannot_open`.
 */
export function verifySignature(
  signature: string,
  hash: Uint8Array,
  { id, key }: PublicKey,
): TrustedComment {
  if (!v.is(SIGNATURE, signature)) throw refused("isn't in minisign format");
  const [, first = "", second = "", third = ""] = signature.split(/\r?\n/);
  const own = Buffer.from(first, "base64");
  const comment = second.slice("trusted comment: ".length);
  const global = Buffer.from(third, "base64");
  if (own.length !== 74 || global.length !== 64) throw refused("is truncated");
  if (own.subarray(0, 2).toString() !== PREHASHED)
    throw refused("uses the legacy format: sign again without -l");
  if (!own.subarray(2, 10).equals(id)) throw refused("was made with another key");
  const bytes = own.subarray(10);
  if (!verify(null, hash, key, bytes)) throw refused("doesn't match the file");
  if (!verify(null, Buffer.concat([bytes, Buffer.from(comment)]), key, global))
    throw refused("has an altered comment");
  return comment;
}

const refused = (why: string) =>
  cannotOpen(
    `The signature ${why}. Nothing was changed: download the file and its .minisig again.`,
  );

/** The BLAKE2b-512 of a file of any size, read once; each chunk is also passed to `also`. */
export async function hashOf(
  path: string,
  also: (chunk: Uint8Array) => Promise<unknown> = async () => {},
): Promise<Uint8Array> {
  const hash = new Bun.CryptoHasher("blake2b512");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    await also(chunk as Buffer);
  }
  return hash.digest();
}
