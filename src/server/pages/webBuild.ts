/** The web build of `build.ts`: its manifest, and its files as responses. */
import { join } from "node:path";
import type { InlineCode, ShellAssets } from "../../web/entry-server.tsx";
import type { Representation } from "../http/conditional.ts";
import type { FontCatalogue } from "./fontCatalog.ts";

/** A built file. Its name contains a hash of its content, so it can be cached forever. */
export interface BuiltFile {
  /** Its URL path, and its path below the build's folder. */
  readonly url: string;
  readonly type: string;
  /** True when its `.br` and `.gz` versions exist beside it. */
  readonly compressed: boolean;
}

export interface WebManifest {
  readonly shell: ShellAssets;
  readonly inline: InlineCode;
  /** The service worker of the dashboard. */
  readonly worker: string;
  readonly files: readonly BuiltFile[];
  readonly fonts: FontCatalogue;
}

/** A web build and its folder, on disk or inside the executable. */
export interface WebBuild extends WebManifest {
  readonly directory: string;
}

/** The build inside the executable, otherwise in dist/web. Rejects with a message when it is missing. */
export async function loadWebBuild(): Promise<WebBuild> {
  const directory = Bun.isStandaloneExecutable ? join(import.meta.dir, "web") : "dist/web";
  const manifest = Bun.file(join(directory, "manifest.json"));
  if (!(await manifest.exists())) {
    throw new Error(`There is no web build in ${directory}. Run "bun run build" first.`);
  }
  return { ...((await manifest.json()) as WebManifest), directory };
}

/** The URL path of the bundled pictures, and their folder in the build. */
export const PICTURES_PATH = "/pictures";

/** The licenses of everything in the program; not served, but printed by `limelight help licenses`. */
export const NOTICES_FILE = "notices.txt";

/** For files with a hash in their name. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The built files by path, each read when first requested. */
export function builtFiles({
  files,
  directory,
}: WebBuild): (path: string) => Representation | undefined {
  const representations = new Map(
    files.map((file) => [file.url, representationOf(file, directory)]),
  );
  return (path) => representations.get(path);
}

function representationOf({ url, type, compressed }: BuiltFile, directory: string): Representation {
  const identity = read(join(directory, url));
  const encoded = {
    br: read(join(directory, `${url}.br`)),
    gzip: read(join(directory, `${url}.gz`)),
  };
  return {
    headers: { "content-type": type, "cache-control": IMMUTABLE },
    etag: `"${url.slice(url.lastIndexOf("/") + 1)}"`,
    bytes: compressed ? { identity, ...encoded } : { identity },
  };
}

/** A failed read is tried again on the next request. */
function read(path: string): () => Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => {
    if (bytes) return bytes;
    const reading = (bytes = Bun.file(path).bytes());
    reading.catch(() => (bytes = undefined));
    return reading;
  };
}
