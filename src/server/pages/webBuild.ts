/** What `build.ts` made for browsers: its manifest, and its files as answers. */
import { join } from "node:path";
import type { InlineCode, ShellAssets } from "../../web/entry-server.tsx";
import type { Representation } from "../http/conditional.ts";
import type { FontCatalogue } from "./fontCatalogue.ts";

/** A built file. Its name has a hash of its content, so that it may be kept for ever. */
export interface BuiltFile {
  /** Where it is served; where it lies below the build's folder as well. */
  readonly url: string;
  readonly type: string;
  /** True when the same with `.br` and with `.gz` behind its name lies beside it. */
  readonly compressed: boolean;
}

export interface WebManifest {
  readonly shell: ShellAssets;
  readonly inline: InlineCode;
  /** What runs in the background of the owner's browser. */
  readonly worker: string;
  readonly files: readonly BuiltFile[];
  readonly fonts: FontCatalogue;
}

/** A web build and the folder it lies in, on the disk or inside the executable. */
export interface WebBuild extends WebManifest {
  readonly directory: string;
}

/** The build inside the executable, else the one in dist/web. Rejects with words when there is none. */
export async function loadWebBuild(): Promise<WebBuild> {
  const directory = Bun.isStandaloneExecutable ? join(import.meta.dir, "web") : "dist/web";
  const manifest = Bun.file(join(directory, "manifest.json"));
  if (!(await manifest.exists())) {
    throw new Error(`There is no web build in ${directory}. Run "bun run build" first.`);
  }
  return { ...((await manifest.json()) as WebManifest), directory };
}

/** Where the bundled pictures are served, and lie below the build's folder. */
export const PICTURES_PATH = "/pictures";

/** The licences of all that the program carries; served to nobody, and printed by `limelight licences`. */
export const NOTICES_FILE = "notices.txt";

/** For files whose name has a hash of their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The built files by address, each read when the first client takes it. */
export function builtFiles({
  files,
  directory,
}: WebBuild): (path: string) => Representation | undefined {
  const answers = new Map(files.map((file) => [file.url, answerOf(file, directory)]));
  return (path) => answers.get(path);
}

function answerOf({ url, type, compressed }: BuiltFile, directory: string): Representation {
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

/** What failed is tried again by who asks next. */
function read(path: string): () => Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => {
    if (bytes) return bytes;
    const reading = (bytes = Bun.file(path).bytes());
    reading.catch(() => (bytes = undefined));
    return reading;
  };
}
