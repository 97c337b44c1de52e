/** Stores certificates and the ACME account's key. Backups don't contain them: new ones can be ordered in a minute. */
import { X509Certificate } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import * as v from "valibot";
import type { DataKey } from "../../shared/secrets.ts";
import { ensureFolder, ignoreMissing, writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";

const certificateSchema = v.object({
  domain: v.string(),
  key: v.string(),
  /** The site's certificate, followed by the intermediate certificates. */
  chain: v.string(),
});

/** A certificate's chain and its private key, both as PEM. */
export type Certificate = v.InferOutput<typeof certificateSchema>;

const accountSchema = v.object({ directory: v.string(), key: v.string() });

/** Stores JSON files in a folder, encrypted if DATA_KEY is set. The methods throw the disk's errors. */
export class CertificateStore {
  constructor(
    private readonly folder: string,
    private readonly dataKey: DataKey,
  ) {}

  /** Returns a name's certificate; undefined unless it is intact, matches its key and hasn't expired. */
  async readCertificate(domain: string): Promise<Certificate | undefined> {
    const stored = await this.#readValue(getCertificateName(domain), certificateSchema);
    const isValid = stored && isUsable(stored) && readValidity(stored).endsAt > Date.now();
    return isValid ? stored : undefined;
  }

  writeCertificate(certificate: Certificate): Promise<void> {
    return this.#writeValue(getCertificateName(certificate.domain), certificate);
  }

  /** Stores an issued certificate that this server can't use, so that the operator can inspect it. */
  writeUnusableCertificate(certificate: Certificate): Promise<void> {
    return this.#writeValue(getUnusableName(certificate.domain), certificate);
  }

  /** Returns when an unusable certificate for a name was last stored, in milliseconds since 1970. */
  async readUnusableStoredAt(domain: string): Promise<number | undefined> {
    const file = stat(this.#getPath(getUnusableName(domain)));
    return (await ignoreMissing(file))?.mtimeMs;
  }

  /** Returns the stored account key for a certificate authority, as PEM. Without one, stores the result of `create`. */
  async getOrCreateAccountKey(directory: string, create: () => Promise<string>): Promise<string> {
    const account = await this.#readValue(ACCOUNT_NAME, accountSchema);
    if (account?.directory === directory) return account.key;
    const key = await create();
    await this.#writeValue(ACCOUNT_NAME, { directory, key });
    return key;
  }

  /** Encrypts stored values again that aren't encrypted with the first key of DATA_KEY. */
  async resealAll(domains: readonly string[]): Promise<void> {
    for (const name of [ACCOUNT_NAME, ...domains.map(getCertificateName)]) {
      const stored = await this.#readStored(name);
      const value = await this.#readValue(name, v.unknown());
      if (stored && value && !this.dataKey.isSealedAsConfigured(stored, createSealPurpose(name)))
        await this.#writeValue(name, value);
    }
  }

  /** Returns a stored value; undefined if the file is missing, damaged, or encrypted with an unknown key. */
  async #readValue<T>(name: string, schema: v.GenericSchema<unknown, T>): Promise<T | undefined> {
    const stored = await this.#readStored(name);
    const text = stored && this.dataKey.unseal(stored, createSealPurpose(name));
    try {
      return text ? v.parse(schema, JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  }

  async #readStored(name: string): Promise<string | undefined> {
    const bytes = await ignoreMissing(disk.read(this.#getPath(name)));
    return bytes && new TextDecoder().decode(bytes);
  }

  async #writeValue(name: string, value: unknown): Promise<void> {
    await ensureFolder(disk, this.folder);
    const stored = this.dataKey.seal(JSON.stringify(value), createSealPurpose(name));
    await writeDurably(disk, this.#getPath(name), new TextEncoder().encode(stored));
  }

  #getPath(name: string): string {
    return join(this.folder, `${name}.json`);
  }
}

const ACCOUNT_NAME = "account";
const getCertificateName = (domain: string) => `certificate-${domain}`;
const getUnusableName = (domain: string) => `unusable-${domain}`;
const createSealPurpose = (name: string) => `https ${name}`;

/** Returns when the certificate is valid, in milliseconds since 1970. Throws if a server can't use it with its key. */
export function readValidity({ key, chain }: Certificate): { startsAt: number; endsAt: number } {
  createSecureContext({ key, cert: chain });
  const { validFrom, validTo } = new X509Certificate(chain);
  return { startsAt: Date.parse(validFrom), endsAt: Date.parse(validTo) };
}

export function isUsable(certificate: Certificate): boolean {
  try {
    readValidity(certificate);
    return true;
  } catch {
    return false;
  }
}
