/** The web build of `build.ts`: its manifest, and its files as responses. */
import { join } from "node:path";
import type { InlineCode, PageAssets } from "../../web/entry-server.tsx";
import type { Representation } from "../http/conditionalRequests.ts";
import type { FontCatalog } from "./fontCatalog.ts";

/** A built file. Its name contains a hash of its content, so it can be cached forever. */
export interface BuiltFile {
  /** Its URL path, which is also its path below the build's folder. */
  readonly url: string;
  readonly type: string;
  /** True if `.br` and `.gz` versions of the file exist beside it. */
  readonly compressed: boolean;
}

export interface WebManifest {
  readonly shell: PageAssets;
  readonly inline: InlineCode;
  /** The source code of the dashboard's service worker. */
  readonly worker: string;
  readonly files: readonly BuiltFile[];
  readonly fonts: FontCatalog;
}

/** A web build and its folder, on disk or inside the executable. */
export interface WebBuild extends WebManifest {
  readonly directory: string;
}

/** Loads the build in the executable or, when running from source, in dist/web. Rejects if it is missing. */
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

/** The file with the licenses of everything in the program. It isn't served; `limelight help licenses` prints it. */
export const NOTICES_FILE = "notices.txt";

export const IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** Returns a look-up of built files by path. Each file is read on its first request. */
export function createBuiltFileLookup({
  files,
  directory,
}: WebBuild): (path: string) => Representation | undefined {
  const representations = new Map(
    files.map((file) => [file.url, createRepresentation(file, directory)]),
  );
  return (path) => representations.get(path);
}

function createRepresentation(
  { url, type, compressed }: BuiltFile,
  directory: string,
): Representation {
  const identity = createLazyReader(join(directory, url));
  const compressedReaders = {
    br: createLazyReader(join(directory, `${url}.br`)),
    gzip: createLazyReader(join(directory, `${url}.gz`)),
  };
  return {
    headers: { "content-type": type, "cache-control": IMMUTABLE_CACHE_CONTROL },
    etag: `"${url.slice(url.lastIndexOf("/") + 1)}"`,
    bytes: compressed ? { identity, ...compressedReaders } : { identity },
  };
}

/** Returns a function that reads a file once. If reading fails, the next call tries again. */
function createLazyReader(path: string): () => Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => {
    if (bytes) return bytes;
    const reading = (bytes = Bun.file(path).bytes());
    reading.catch(() => (bytes = undefined));
    return reading;
  };
}
