/** Stores certificates and the account's key, private to their owner and in no backup: new ones take a minute. */
import { X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import * as v from "valibot";
import type { DataKey } from "../../shared/dataKey.ts";
import { ensureFolder, orUndefinedIfMissing, writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";

const certificateSchema = v.object({
  /** The name that it is for. */
  domain: v.string(),
  key: v.string(),
  /** With the intermediate certificates. */
  chain: v.string(),
});

/** A certificate with its private key, as PEM. */
export type Certificate = v.InferOutput<typeof certificateSchema>;

const accountSchema = v.object({ directory: v.string(), key: v.string() });

/** JSON files in a folder on this machine, encrypted by DATA_KEY. All throw what the disk throws. */
export class CertificateStore {
  constructor(
    private readonly folder: string,
    private readonly dataKey: DataKey,
  ) {}

  /** The stored certificate of a name, if it is intact, matches its key and hasn't expired. */
  async readCertificate(domain: string): Promise<Certificate | undefined> {
    const stored = await this.#readCertificate(certificateFile(domain), certificateSchema);
    const isGood = stored && isUsable(stored) && readValidity(stored).ends > Date.now();
    return isGood ? stored : undefined;
  }

  writeCertificate(certificate: Certificate): Promise<void> {
    return this.#writeCertificate(certificateFile(certificate.domain), certificate);
  }

  /** Keeps an issued certificate that can't be used, for the operator. */
  setAside(certificate: Certificate): Promise<void> {
    return this.#writeCertificate(unusableFileOf(certificate.domain), certificate);
  }

  /** When a name's certificate was last set aside, in milliseconds since 1970; undefined if it wasn't. */
  async setAsideAt(domain: string): Promise<number | undefined> {
    const file = stat(this.#path(unusableFileOf(domain)));
    return (await orUndefinedIfMissing(file))?.mtimeMs;
  }

  /** The account's key at an authority, made by `create` with the first order. */
  async getAccountKey(directory: string, create: () => Promise<string>): Promise<string> {
    const account = await this.#readCertificate(ACCOUNT_NAME, accountSchema);
    if (account?.directory === directory) return account.key;
    const key = await create();
    await this.#writeCertificate(ACCOUNT_NAME, { directory, key });
    return key;
  }

  /** Encrypts by the first DATA_KEY what was encrypted by another one, or not at all. */
  async resealAll(domains: readonly string[]): Promise<void> {
    for (const name of [ACCOUNT_NAME, ...domains.map(certificateFile)]) {
      const stored = await this.#readStored(name);
      const value = await this.#readCertificate(name, v.unknown());
      if (stored && value && !this.dataKey.isSealedAsConfigured(stored, sealPurpose(name)))
        await this.#writeCertificate(name, value);
    }
  }

  /** Text that is damaged, or that no key decrypts, counts as missing. */
  async #readCertificate<T>(
    name: string,
    schema: v.GenericSchema<unknown, T>,
  ): Promise<T | undefined> {
    const stored = await this.#readStored(name);
    const text = stored && this.dataKey.unseal(stored, sealPurpose(name));
    try {
      return text ? v.parse(schema, JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  }

  async #readStored(name: string): Promise<string | undefined> {
    const bytes = await orUndefinedIfMissing(disk.read(this.#path(name)));
    return bytes && new TextDecoder().decode(bytes);
  }

  async #writeCertificate(name: string, value: unknown): Promise<void> {
    await ensureFolder(disk, this.folder);
    const stored = this.dataKey.seal(JSON.stringify(value), sealPurpose(name));
    await writeDurably(disk, this.#path(name), new TextEncoder().encode(stored));
  }

  #path(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

const ACCOUNT_NAME = "account";
const certificateFile = (domain: string) => `certificate-${domain}`;
const unusableFileOf = (domain: string) => `unusable-${domain}`;
const sealPurpose = (name: string) => `https ${name}`;

/** A certificate's period of validity, in milliseconds since 1970. Throws unless a server can use it with its key. */
export function readValidity({ key, chain }: Certificate): { begins: number; ends: number } {
  createSecureContext({ key, cert: chain });
  const { validFrom, validTo } = new X509Certificate(chain);
  return { begins: Date.parse(validFrom), ends: Date.parse(validTo) };
}

/** Whether a server can use a certificate with its key. */
export function isUsable(certificate: Certificate): boolean {
  try {
    readValidity(certificate);
    return true;
  } catch {
    return false;
  }
}
