/**
 * Stores the certificate and the account's key, readable by the owner only. They are in no backup, as a new one takes
 * a minute. They are in their own folder, or where all instances of a site see them.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import type { DataKey } from "../../shared/dataKey.ts";
import type { SharedTexts } from "../../shared/instances.ts";
import { ensureFolder, ifThere, writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { type Certificate, newAccountKey } from "./order.ts";

/** A stored certificate. */
export interface KeptCertificate extends Certificate {
  readonly domains: readonly string[];
}

/** Storage for the certificate and the key. */
export interface CertificateStorage extends SharedTexts {
  /** Its name in messages. */
  readonly called: string;
}

const keptSchema = v.object({ domains: v.array(v.string()), key: v.string(), chain: v.string() });
const accountSchema = v.object({ directory: v.string(), key: v.string() });

const CERTIFICATE = "certificate";
const ACCOUNT = "account";

/** Files on this machine. */
export const inFolder = (folder: string): CertificateStorage => ({
  called: folder,
  async read(name) {
    const bytes = await ifThere(disk.read(join(folder, `${name}.json`)));
    return bytes && new TextDecoder().decode(bytes);
  },
  async write(name, text) {
    await ensureFolder(disk, folder);
    await writeDurably(disk, join(folder, `${name}.json`), new TextEncoder().encode(text));
  },
});

/** Shared by all instances of a site. */
export const amongInstances = (shared: SharedTexts): CertificateStorage => ({
  called: "the database",
  read: (name) => shared.read(`https ${name}`),
  write: (name, text) => shared.write(`https ${name}`, text),
});

/** The same storage, sealed by DATA_KEY; what no key opens counts as missing. */
export const sealedStorage = (
  storage: CertificateStorage,
  dataKey: DataKey,
): CertificateStorage => ({
  called: storage.called,
  async read(name) {
    const kept = await storage.read(name);
    if (kept === undefined) return undefined;
    const text = dataKey.open(kept, `https ${name}`);
    if (text !== undefined && !dataKey.isClosed(kept, `https ${name}`))
      await storage.write(name, dataKey.close(text, `https ${name}`));
    return text;
  },
  write: (name, text) => storage.write(name, dataKey.close(text, `https ${name}`)),
});

/**
 * The stored certificate, if it is for any of these names, matches its key and hasn't expired. Throws the storage's
 * errors.
 */
export async function readCertificate(
  storage: CertificateStorage,
  domains: readonly string[],
  now: number,
): Promise<KeptCertificate | undefined> {
  const kept = await readJson(storage, CERTIFICATE, keptSchema);
  if (!kept?.domains.some((name) => domains.includes(name))) return undefined;
  try {
    const { ends } = lifeOf(kept);
    return ends > now ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Throws the storage's errors. */
export async function keepCertificate(
  storage: CertificateStorage,
  certificate: KeptCertificate,
): Promise<void> {
  await storage.write(CERTIFICATE, JSON.stringify(certificate));
}

/** The account's key at an authority, created with the first order. Throws the storage's errors. */
export async function accountKey(storage: CertificateStorage, directory: string): Promise<string> {
  const kept = await readJson(storage, ACCOUNT, accountSchema);
  if (kept?.directory === directory) return kept.key;
  const key = await newAccountKey();
  await storage.write(ACCOUNT, JSON.stringify({ directory, key }));
  return key;
}

/** A certificate's period of validity, in milliseconds since 1970. Throws if it is invalid. */
export function lifeOf({ key, chain }: Certificate): { begins: number; ends: number } {
  const certificate = new X509Certificate(chain);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error("another key");
  return { begins: Date.parse(certificate.validFrom), ends: Date.parse(certificate.validTo) };
}

async function readJson<T>(
  storage: CertificateStorage,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  const text = await storage.read(name);
  if (text === undefined) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    // A damaged one counts as missing.
    return undefined;
  }
}
