/** Compiles the server and the web build into one executable. */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { verifyHash, RUNTIMES, type Target } from "./runtimes.ts";

interface ExecutableOptions {
  /** The folder of the web build, which has to be named "web". */
  readonly web: string;
  /** The target platform. Default: this machine's. */
  readonly target?: Target | undefined;
  /** The public key that verifies the program's upgrades, as a line of base64. */
  readonly releaseKey?: string | undefined;
}

/** Compiles to `dist/limelight[-target]` and returns the path. Rejects with the compiler's messages. */
export async function buildExecutable({
  web,
  target,
  releaseKey,
}: ExecutableOptions): Promise<string> {
  const outfile = resolve("dist", target ? `limelight-${target}` : "limelight");
  await mkdir("dist", { recursive: true });
  const runtime = target ? await fetchTargetRuntime(target) : undefined;
  await Bun.build({
    // The second entry point is the worker in which the server draws SVG (pages/drawSvg.ts).
    entrypoints: ["src/main.ts", "src/server/pages/svgWorker.ts"],
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    // Each command then loads only its own code, which saves 18 ms for `limelight version`.
    splitting: true,
    define: { "process.env.NODE_ENV": '"production"', ...createReleaseKeyDefine(releaseKey) },
    plugins: [dashboardStubPlugin, lazyPostcssPlugin],
    compile: {
      outfile,
      // The program reads these folders from /$bunfs/root: web in pages/webBuild.ts, pictures in cli/demo/samples.ts.
      assets: [web, "src/server/cli/demo/pictures"],
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(runtime
        ? { target: `bun-${target}` as "bun-linux-arm64", executablePath: runtime.path }
        : {}),
    },
  });
  await runtime?.remove();
  await chmod(outfile, 0o755);
  return outfile;
}

/** Makes the public key a constant of the program, for `cli/upgrade/minisign.ts`. */
export const createReleaseKeyDefine = (key: string | undefined): Record<string, string> =>
  key ? { RELEASE_KEY: JSON.stringify(key) } : {};

/** Replaces the dashboard's screens by empty exports, since the server never renders them. */
const dashboardStubPlugin: BunPlugin = {
  name: "leave the dashboard out",
  setup(build) {
    build.onLoad({ filter: /src\/web\/admin\/\w+\.tsx$/ }, () => ({
      contents: "export const Admin = null, Login = null, Setup = null, Dashboard = null;",
      loader: "js",
    }));
  },
};

const POSTCSS_IMPORT = "const { parse: postcssParse } = require('postcss');";

/** Loads PostCSS when sanitize-html first meets a style attribute. Loading it at startup would take 4 ms. */
const lazyPostcssPlugin: BunPlugin = {
  name: "load PostCSS when it is needed",
  setup(build) {
    build.onLoad({ filter: /sanitize-html\/index\.js$/ }, async ({ path }) => {
      const code = await Bun.file(path).text();
      if (!code.includes(POSTCSS_IMPORT))
        throw new Error(
          "sanitize-html loads PostCSS differently now. Update lazyPostcssPlugin in src/build/executable.ts.",
        );
      const lazyImport = "const postcssParse = (...args) => require('postcss').parse(...args);";
      return { contents: code.replace(POSTCSS_IMPORT, lazyImport), loader: "js" };
    });
  },
};

/** Downloads Bun's runtime for another platform. Rejects unless its version and hash are those of `RUNTIMES`. */
async function fetchTargetRuntime(target: Target) {
  const runtime = RUNTIMES[target];
  const { name, version } = runtime;
  if (version !== Bun.version)
    throw new Error(
      `src/build/runtimes.ts has hashes for Bun ${version}, but this is Bun ${Bun.version}.`,
    );
  const folder = await mkdtemp(join(tmpdir(), "limelight-runtime-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await Bun.$`npm pack ${name}@${version} --silent --pack-destination ${folder}`.quiet();
    const archive = join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`);
    await verifyHash(archive, runtime);
    await Bun.$`tar -xzf ${archive} -C ${folder}`.quiet();
    return { path: join(folder, "package", "bin", "bun"), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
