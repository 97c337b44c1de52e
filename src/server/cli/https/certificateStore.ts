/** Stores the certificate and the account's key, private to their owner and in no backup: a new one takes a minute. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import type { DataKey } from "../../shared/dataKey.ts";
import { ensureFolder, undefinedIfMissing, writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { createAccountKey, type IssuedCertificate } from "./order.ts";

/** A certificate with the names it is for. */
export interface Certificate extends IssuedCertificate {
  readonly domains: readonly string[];
}

/** Texts by name, sealed by DATA_KEY. All throw what the disk throws. */
export interface CertificateStore {
  /** Undefined for what is missing, or what no key opens. */
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Files in a folder on this machine. What was sealed with another key, or not at all, is sealed anew when it is read. */
export function certificateStore(folder: string, dataKey: DataKey): CertificateStore {
  const fileOf = (name: string) => join(folder, `${name}.json`);
  const store: CertificateStore = {
    async read(name) {
      const bytes = await undefinedIfMissing(disk.read(fileOf(name)));
      if (!bytes) return undefined;
      const stored = new TextDecoder().decode(bytes);
      const text = dataKey.unseal(stored, purposeOf(name));
      if (text !== undefined && !dataKey.isSealedAsConfigured(stored, purposeOf(name)))
        await store.write(name, text);
      return text;
    },
    async write(name, text) {
      await ensureFolder(disk, folder);
      const stored = dataKey.seal(text, purposeOf(name));
      await writeDurably(disk, fileOf(name), new TextEncoder().encode(stored));
    },
    remove: async (name) => void (await undefinedIfMissing(disk.remove(fileOf(name)))),
  };
  return store;
}

const purposeOf = (name: string) => `https ${name}`;

const certificateSchema = v.object({
  domains: v.array(v.string()),
  key: v.string(),
  chain: v.string(),
});
const accountSchema = v.object({ directory: v.string(), key: v.string() });

/** The stored certificate, if it is for any of these names, matches its key and hasn't expired. Throws what the disk throws. */
export async function readCertificate(
  store: CertificateStore,
  domains: readonly string[],
  now: number,
): Promise<Certificate | undefined> {
  const stored = await readJson(store, "certificate", certificateSchema);
  if (!stored?.domains.some((name) => domains.includes(name))) return undefined;
  try {
    return validityOf(stored).ends > now ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Throws what the disk throws. */
export const writeCertificate = (store: CertificateStore, certificate: Certificate) =>
  store.write("certificate", JSON.stringify(certificate));

const problemSchema = v.object({ title: v.string(), message: v.string() });

/** Why there is no new certificate, or why it isn't used. */
export type CertificateProblem = v.InferOutput<typeof problemSchema>;

/** The last problem that was noted for the doctor; undefined if there is none now. */
export const readProblem = (store: CertificateStore) => readJson(store, "problem", problemSchema);

/** Throws what the disk throws. */
export const noteProblem = (store: CertificateStore, problem: CertificateProblem | undefined) =>
  problem ? store.write("problem", JSON.stringify(problem)) : store.remove("problem");

/** The account's key at an authority, created with the first order. Throws what the disk throws. */
export async function accountKey(store: CertificateStore, directory: string): Promise<string> {
  const account = await readJson(store, "account", accountSchema);
  if (account?.directory === directory) return account.key;
  const key = await createAccountKey();
  await store.write("account", JSON.stringify({ directory, key }));
  return key;
}

/** A certificate's period of validity, in milliseconds since 1970. Throws if it is invalid or doesn't match its key. */
export function validityOf({ key, chain }: IssuedCertificate): { begins: number; ends: number } {
  const certificate = new X509Certificate(chain);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error("another key");
  return { begins: Date.parse(certificate.validFrom), ends: Date.parse(certificate.validTo) };
}

/** A damaged text counts as missing. */
async function readJson<T>(
  store: CertificateStore,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  const text = await store.read(name);
  if (text === undefined) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
}
