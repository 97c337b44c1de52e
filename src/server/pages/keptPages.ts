/**
 * Finished pages kept from one start to the next, so that a visitor who comes while the site starts is
 * answered at once. They lie in the data folder, in no backup, and are believed only for as long as all that
 * they were made of is byte for byte what it was: documents, program, settings and day.
 * Docs: docs/decisions/0014-the-first-page.md.
 */
import { readFileSync, statSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodedText, MADE_ONCE, type Representation } from "../http/conditional.ts";
import { localDay } from "../shared/clock.ts";
import type { Config } from "../shared/config.ts";
import { markOfDocuments } from "../storage/documentFiles.ts";

/** By path. */
export type FinishedPages = ReadonlyMap<string, Representation>;

export interface KeptPages {
  /** Those that are of what is stored now; empty when there are none, or something is another. */
  read(): FinishedPages;
  /**
   * Keeps these, made on `day` of the documents with these revisions, which are in memory; nothing where the
   * disk has others already.
   * Never rejects: without them the next start takes longer.
   */
  keep(pages: FinishedPages, day: string, revisions: ReadonlyMap<string, number>): Promise<void>;
}

const FILE = ".first-pages";

/** Undefined for a program that is not the executable, which can't be told from another, and for data in a database. */
export function keptPages(config: Config): KeptPages | undefined {
  if (!Bun.isStandaloneExecutable || config.databaseUrl) return undefined;
  const path = join(config.dataDir, FILE);
  const key = (day: string, mark: string) =>
    JSON.stringify([fileMark(process.execPath), settingsOf(config), day, mark]);
  return {
    read() {
      const kept = unpacked(path);
      const stored = kept && markOfDocuments(config.dataDir, kept.documents);
      const isTheSame = stored && kept.key === key(localDay(new Date()), stored.mark);
      return isTheSame ? kept.pages : new Map();
    },
    async keep(pages, day, revisions) {
      const documents = [...revisions.keys()];
      const stored = markOfDocuments(config.dataDir, documents);
      if (!stored || documents.some((name) => stored.revisions.get(name) !== revisions.get(name)))
        return;
      try {
        const bytes = packed({ key: key(day, stored.mark), documents }, pages);
        await writeFile(`${path}.new`, bytes, { mode: 0o600 });
        await rename(`${path}.new`, path);
      } catch {
        await rm(`${path}.new`, { force: true }).catch(() => undefined);
      }
    },
  };
}

function fileMark(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/** Those that a page tells of or is made by; one whose data is in a database is never kept. */
const settingsOf = (config: Config) => [
  config.siteUrl,
  config.uploadsPublicUrl,
  config.fontProvider,
  config.retentionDays,
  config.backupS3 !== undefined,
];

interface Origin {
  readonly key: string;
  /** By name. */
  readonly documents: readonly string[];
}

interface PackedPage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** Lengths in bytes of the page as it is and in Brotli, one after the other. */
  readonly lengths: readonly [number, number];
}

/** A checksum, the length of the head, the head, the pages' bytes. */
function packed(origin: Origin, pages: FinishedPages): Uint8Array {
  const bodies: Uint8Array[] = [];
  const heads: PackedPage[] = [];
  for (const [path, { headers, etag, bytes }] of pages) {
    const both = [bytes.identity(), bytes.br!()] as [Uint8Array, Uint8Array];
    bodies.push(...both);
    const lengths = [both[0].length, both[1].length] as const;
    heads.push({ path, headers: headers as PackedPage["headers"], etag: etag!, lengths });
  }
  const head = Buffer.from(JSON.stringify({ ...origin, heads }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const rest = Buffer.concat([size, head, ...bodies]);
  return Buffer.concat([checksumOf(rest), rest]);
}

const SUM = 8;

/** Enough to know a file that a power cut left half written; who can write here could change the pages anyway. */
function checksumOf(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(SUM);
  sum.writeBigUInt64LE(BigInt(Bun.hash(bytes)));
  return sum;
}

function unpacked(path: string): (Origin & { pages: FinishedPages }) | undefined {
  try {
    const file = readFileSync(path);
    const rest = file.subarray(SUM);
    if (!checksumOf(rest).equals(file.subarray(0, SUM))) return undefined;
    let at = 4 + rest.readUInt32LE(0);
    const { heads, ...origin } = JSON.parse(rest.toString("utf8", 4, at)) as Origin & {
      heads: PackedPage[];
    };
    const next = (length: number) => new Uint8Array(rest.subarray(at, (at += length)));
    const pages = heads.map(({ path: page, headers, etag, lengths }) => {
      const [identity, br] = [next(lengths[0]), next(lengths[1])];
      const { bytes, isShort } = encodedText(identity, MADE_ONCE);
      return [page, { headers, etag, isShort, bytes: { ...bytes, br: () => br } }] as const;
    });
    return { ...origin, pages: new Map(pages as [string, Representation][]) };
  } catch {
    return undefined;
  }
}
