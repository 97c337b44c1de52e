/** Bun's runtimes, which the programs of a release embed. They aren't in bun.lock. */
import { readFile } from "node:fs/promises";

export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** The hash of the package's archive in base64, as in bun.lock. */
  readonly sha512: string;
}

export const TARGETS = ["linux-x64", "linux-arm64"] as const;

export type Target = (typeof TARGETS)[number];

/**
 * The recorded runtimes by target. For another version of Bun, run `npm view @oven/bun-linux-x64@<version>
 * dist.integrity` on two machines, and compare the hashes.
 */
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

export async function verifyHash(archive: string, { name, version, sha512 }: Runtime) {
  const actual = new Bun.CryptoHasher("sha512").update(await readFile(archive)).digest("base64");
  if (actual !== sha512)
    throw new Error(
      `${name} ${version}'s hash doesn't match src/build/runtimes.ts: ${actual}. Nothing was built with it. Find out why before you change the hash.`,
    );
}
