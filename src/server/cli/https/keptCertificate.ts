/**
 * The certificate and the account's key, in a folder of their own: private to the owner, in no backup, as a
 * new one is had within a minute.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { disk, ensureFolder, ifThere, writeDurably } from "../../storage/disk.ts";
import { type Certificate, newAccountKey } from "./order.ts";

/** What is kept of a certificate. */
export interface KeptCertificate extends Certificate {
  readonly domains: readonly string[];
}

const keptSchema = v.object({ domains: v.array(v.string()), key: v.string(), chain: v.string() });
const accountSchema = v.object({ directory: v.string(), key: v.string() });

const CERTIFICATE = "certificate.json";
const ACCOUNT = "account.json";

/** The one that was kept, when it is for exactly these names, fits its key, and isn't over. */
export async function readCertificate(
  folder: string,
  domains: readonly string[],
  now: number,
): Promise<KeptCertificate | undefined> {
  const kept = await readJson(join(folder, CERTIFICATE), keptSchema);
  if (!kept || kept.domains.join() !== domains.join()) return undefined;
  try {
    const { ends } = lifeOf(kept);
    return ends > now ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Throws what the disk throws. */
export async function keepCertificate(folder: string, certificate: KeptCertificate): Promise<void> {
  await writeJson(folder, CERTIFICATE, certificate);
}

/** The key of the account at an authority, made at the first order. Throws what the disk throws. */
export async function accountKey(folder: string, directory: string): Promise<string> {
  const kept = await readJson(join(folder, ACCOUNT), accountSchema);
  if (kept?.directory === directory) return kept.key;
  const key = await newAccountKey();
  await writeJson(folder, ACCOUNT, { directory, key });
  return key;
}

/** From when until when a certificate is good, in milliseconds since 1970. Throws for one that is none. */
export function lifeOf({ key, chain }: Certificate): { begins: number; ends: number } {
  const certificate = new X509Certificate(chain);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error("another key");
  return { begins: Date.parse(certificate.validFrom), ends: Date.parse(certificate.validTo) };
}

async function readJson<T>(path: string, schema: v.GenericSchema<unknown, T>) {
  const bytes = await ifThere(disk.read(path));
  if (!bytes) return undefined;
  try {
    return v.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // A damaged one is as good as none.
    return undefined;
  }
}

async function writeJson(folder: string, name: string, value: unknown): Promise<void> {
  await ensureFolder(disk, folder);
  await writeDurably(disk, join(folder, name), new TextEncoder().encode(JSON.stringify(value)));
}
