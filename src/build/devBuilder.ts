/** The builder of `dev.ts`, in a process of its own, so that it can be started anew when its own source changes. */
import { webBuild } from "./web.ts";

export interface Built {
  /** Why it couldn't be built. */
  readonly problem?: string;
  /** The paths of the modules that the builder consists of. */
  readonly own: readonly string[];
}

const build = webBuild("dist/web", { quick: true });

process.on("message", ({ files }: { readonly files?: readonly string[] }) => void report(files));

async function report(files: readonly string[] | undefined): Promise<void> {
  const problem = await build(files).then(() => undefined, Bun.inspect);
  const built: Built = { own: Object.keys(require.cache), ...(problem && { problem }) };
  process.send?.(built);
}
