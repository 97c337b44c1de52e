/** A release's bill of materials, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import packageJson from "../../package.json" with { type: "json" };
import { type Runtime, RUNTIMES } from "./runtimes.ts";

const ROOT = join(import.meta.dir, "../..");

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.looseTuple([
      /** `name@version`. */
      v.string(),
      v.string(),
      v.object({
        dependencies: v.optional(v.record(v.string(), v.string()), {}),
        peerDependencies: v.optional(v.record(v.string(), v.string()), {}),
        optionalPeers: v.optional(v.array(v.string()), []),
      }),
      /** `sha512-…` in base64. */
      v.string(),
    ]),
  ),
});

/** The packages of bun.lock by their path below node_modules, such as `a/b` for `a`'s own `b`. */
type Packages = v.InferOutput<typeof lockSchema>["packages"];

/** Development packages whose files the build embeds in the program. */
const CARRIED = /^@fontsource|^bootstrap-icons$/;

/** The release's version and time. */
interface BillOptions {
  readonly version: string;
  readonly now: Date;
}

/** Rejects when one of the program's packages has no license, or is only in bun.lock. */
export async function billOfMaterials({ version, now }: BillOptions) {
  const { packages, direct, paths } = await lockedPackages();
  const program = `pkg:github/limelight@${version}`;
  const runtime = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      component: {
        type: "application",
        "bom-ref": program,
        name: packageJson.name,
        version,
        licenses: [{ license: { id: packageJson.license } }],
      },
    },
    components: [
      {
        type: "platform",
        "bom-ref": runtime,
        name: "bun",
        version: Bun.version,
        purl: runtime,
        licenses: [{ license: { id: "MIT" } }],
        components: Object.values(RUNTIMES).map(runtimeComponent),
      },
      ...(await Promise.all(paths.map((path) => component(path, packageAt(packages, path))))),
    ],
    dependencies: [
      {
        ref: program,
        dependsOn: [runtime, ...direct.map((name) => refOf(packageAt(packages, name)))],
      },
      ...paths.map((path) => ({
        ref: refOf(packageAt(packages, path)),
        dependsOn: neededBy(packages, path).map((needed) => refOf(packageAt(packages, needed))),
      })),
    ],
  };
}

/** The packages in the program, with the folders where they are installed. */
export async function carriedPackages() {
  const { packages, paths } = await lockedPackages();
  return paths.map((path) => ({ ...namesOf(packageAt(packages, path)), folder: folderOf(path) }));
}

/** From bun.lock: all packages, and those in the program, by name and by path. */
async function lockedPackages() {
  const text = await readFile(join(ROOT, "bun.lock"), "utf8");
  const { packages } = v.parse(lockSchema, Bun.JSONC.parse(text));
  const carried = Object.keys(packageJson.devDependencies).filter((name) => CARRIED.test(name));
  const direct = [...Object.keys(packageJson.dependencies), ...carried];
  return { packages, direct, paths: closure(packages, direct) };
}

/** The paths of these packages and all their dependencies, sorted. */
function closure(packages: Packages, names: readonly string[]): string[] {
  const reachable = new Set<string>();
  const visit = (path: string) => {
    if (reachable.has(path)) return;
    reachable.add(path);
    neededBy(packages, path).forEach(visit);
  };
  names.forEach(visit);
  return [...reachable].toSorted();
}

/** Includes required peer dependencies. */
function neededBy(packages: Packages, path: string): string[] {
  const [, , { dependencies, peerDependencies, optionalPeers }] = packageAt(packages, path);
  const peers = Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name));
  const needed = [...Object.keys(dependencies), ...peers].map((name) => find(packages, path, name));
  return [...new Set(needed.filter((each) => each !== undefined))];
}

/** Finds a package like Node does: in its parent's own packages first, then outwards. */
function find(packages: Packages, path: string, name: string): string | undefined {
  const parents = pathSegments(path);
  for (let depth = parents.length; depth >= 0; depth--) {
    const at = [...parents.slice(0, depth), name].join("/");
    if (packages[at]) return at;
  }
  return undefined;
}

type Package = Packages[string];

function packageAt(packages: Packages, path: string): Package {
  const entry = packages[path];
  if (!entry) throw new Error(`bun.lock has no package at ${path}.`);
  return entry;
}

async function component(path: string, each: Package) {
  const { name, version } = namesOf(each);
  const installed = await readFile(join(folderOf(path), "package.json"), "utf8");
  const { license } = JSON.parse(installed) as { license?: unknown };
  if (typeof license !== "string") throw new Error(`${name} ${version} declares no license.`);
  return {
    type: "library",
    "bom-ref": refOf(each),
    name,
    version,
    purl: refOf(each),
    // A single license by its SPDX name, several as an expression.
    licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    hashes: hashesOf(each[3].replace(/^sha512-/, "")),
  };
}

/** The runtime of one target, which its program embeds. */
function runtimeComponent({ name, version, sha512 }: Runtime) {
  const purl = addressOf(name, version);
  return { type: "library", "bom-ref": purl, name, version, purl, hashes: hashesOf(sha512) };
}

const hashesOf = (sha512: string) => [
  { alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") },
];

function folderOf(path: string): string {
  return join(ROOT, "node_modules", pathSegments(path).join("/node_modules/"));
}

/** The package names in a path, outermost first, each with its scope. */
const pathSegments = (path: string): readonly string[] => path.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

function namesOf([named]: Package) {
  const at = named.lastIndexOf("@");
  return { name: named.slice(0, at), version: named.slice(at + 1) };
}

/** The package's purl, also its reference in the bill. */
function refOf(each: Package): string {
  const { name, version } = namesOf(each);
  return addressOf(name, version);
}

const addressOf = (name: string, version: string) =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;
