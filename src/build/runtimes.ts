/** Bun's own runtimes, which go into the programs of a release: the one part that bun.lock doesn't name. */
import { readFile } from "node:fs/promises";

/** A package of the registry. */
export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** Of the package's archive, in base64, as bun.lock has it of others. */
  readonly sha512: string;
}

/** The machines that a release is for. */
export const TARGETS = ["linux-x64", "linux-arm64"] as const;

export type Target = (typeof TARGETS)[number];

/** With another Bun: `npm view @oven/bun-linux-x64@<version> dist.integrity`, compared with a second machine's. */
export const RUNTIMES: Readonly<Record<Target, Runtime>> = {
  "linux-x64": {
    name: "@oven/bun-linux-x64",
    version: "1.4.5",
    sha512:
      "IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==",
  },
  "linux-arm64": {
    name: "@oven/bun-linux-aarch64",
    version: "1.4.5",
    sha512:
      "4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
  },
};

/** Rejects when the archive isn't the one that its hash was taken of; nothing of it may be used then. */
export async function requireHash(archive: string, { name, version, sha512 }: Runtime) {
  const found = new Bun.CryptoHasher("sha512").update(await readFile(archive)).digest("base64");
  if (found !== sha512)
    throw new Error(
      `${name} ${version} came with another hash than src/build/runtimes.ts has: ${found}. Nothing was built with it. Find out why before you change the hash.`,
    );
}
