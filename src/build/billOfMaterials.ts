/** A release's bill of materials, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import packageJson from "../../package.json" with { type: "json" };
import { type Runtime, RUNTIMES } from "./runtimes.ts";

const ROOT = join(import.meta.dir, "../..");

const lockFileSchema = v.object({
  packages: v.record(
    v.string(),
    v.looseTuple([
      /** The package as `name@version`. */
      v.string(),
      v.string(),
      v.object({
        dependencies: v.optional(v.record(v.string(), v.string()), {}),
        peerDependencies: v.optional(v.record(v.string(), v.string()), {}),
        optionalPeers: v.optional(v.array(v.string()), []),
      }),
      /** The archive's hash: `sha512-…` in base64. */
      v.string(),
    ]),
  ),
});

/** The packages of bun.lock by their path below node_modules. A package `b` that only `a` uses has the path `a/b`. */
type Packages = v.InferOutput<typeof lockFileSchema>["packages"];

/** Development packages whose files the build embeds in the program. */
const EMBEDDED_DEV_PACKAGES = /^@fontsource|^bootstrap-icons$/;

/** Returns the bill. Rejects if a package in the program declares no license, or isn't installed. */
export async function createBillOfMaterials(version: string, now: Date) {
  const { packages, direct, paths } = await readLockedPackages();
  const program = `pkg:github/limelight@${version}`;
  const runtime = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
  const createPackageUrls = (packagePaths: readonly string[]) =>
    packagePaths.map((path) => createPackageUrl(getPackage(packages, path)));
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
        components: Object.values(RUNTIMES).map(createLibrary),
      },
      ...(await Promise.all(
        paths.map((path) => createComponent(path, getPackage(packages, path))),
      )),
    ],
    dependencies: [
      { ref: program, dependsOn: [runtime, ...createPackageUrls(direct)] },
      ...paths.map((path) => ({
        ref: createPackageUrl(getPackage(packages, path)),
        dependsOn: createPackageUrls(listRequiredDependencies(packages, path)),
      })),
    ],
  };
}

export async function findProgramPackages() {
  const { packages, paths } = await readLockedPackages();
  return paths.map((path) => ({
    ...parseNameAndVersion(getPackage(packages, path)),
    folder: getInstallFolder(path),
  }));
}

/** Reads bun.lock. `direct` has the names of the packages that our code uses; `paths` also has their dependencies. */
async function readLockedPackages() {
  const text = await readFile(join(ROOT, "bun.lock"), "utf8");
  const { packages } = v.parse(lockFileSchema, Bun.JSONC.parse(text));
  const embeddedNames = Object.keys(packageJson.devDependencies).filter((name) =>
    EMBEDDED_DEV_PACKAGES.test(name),
  );
  const direct = [...Object.keys(packageJson.dependencies), ...embeddedNames];
  return { packages, direct, paths: findDependencyClosure(packages, direct) };
}

function findDependencyClosure(packages: Packages, names: readonly string[]): string[] {
  const reachable = new Set<string>();
  const visit = (path: string) => {
    if (reachable.has(path)) return;
    reachable.add(path);
    listRequiredDependencies(packages, path).forEach(visit);
  };
  names.forEach(visit);
  return [...reachable].toSorted();
}

/** Returns the paths of a package's dependencies and required peer dependencies. */
function listRequiredDependencies(packages: Packages, packagePath: string): string[] {
  const [, , { dependencies, peerDependencies, optionalPeers }] = getPackage(packages, packagePath);
  const peers = Object.keys(peerDependencies).filter((name) => !optionalPeers.includes(name));
  const dependencyPaths = [...Object.keys(dependencies), ...peers].map((name) =>
    findPackagePath(packages, packagePath, name),
  );
  return [...new Set(dependencyPaths.filter((dependencyPath) => dependencyPath !== undefined))];
}

/** Returns the path of the package that Node would load: the one in the closest node_modules, from `path` upward. */
function findPackagePath(packages: Packages, path: string, name: string): string | undefined {
  const parents = splitPath(path);
  for (let depth = parents.length; depth >= 0; depth--) {
    const candidatePath = [...parents.slice(0, depth), name].join("/");
    if (packages[candidatePath]) return candidatePath;
  }
  return undefined;
}

type Package = Packages[string];

function getPackage(packages: Packages, path: string): Package {
  const entry = packages[path];
  if (!entry) throw new Error(`bun.lock has no package at ${path}.`);
  return entry;
}

async function createComponent(path: string, lockedPackage: Package) {
  const { name, version } = parseNameAndVersion(lockedPackage);
  const packageText = await readFile(join(getInstallFolder(path), "package.json"), "utf8");
  const { license } = JSON.parse(packageText) as { license?: unknown };
  if (typeof license !== "string") throw new Error(`${name} ${version} declares no license.`);
  return {
    ...createLibrary({ name, version, sha512: lockedPackage[3].replace(/^sha512-/, "") }),
    // CycloneDX names a single license by its SPDX id, and several licenses by an expression.
    licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
  };
}

function createLibrary({ name, version, sha512 }: Runtime) {
  const purl = formatPackageUrl(name, version);
  const content = Buffer.from(sha512, "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    hashes: [{ alg: "SHA-512", content }],
  };
}

function getInstallFolder(path: string): string {
  return join(ROOT, "node_modules", splitPath(path).join("/node_modules/"));
}

/** Returns the package names in a path, outermost first. A scoped name such as `@scope/name` is one name. */
const splitPath = (path: string): readonly string[] => path.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

function parseNameAndVersion([nameAndVersion]: Package) {
  const separatorIndex = nameAndVersion.lastIndexOf("@");
  return {
    name: nameAndVersion.slice(0, separatorIndex),
    version: nameAndVersion.slice(separatorIndex + 1),
  };
}

/** Returns the package's URL (purl), which identifies it in the bill. */
function createPackageUrl(lockedPackage: Package): string {
  const { name, version } = parseNameAndVersion(lockedPackage);
  return formatPackageUrl(name, version);
}

const formatPackageUrl = (name: string, version: string) =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;
