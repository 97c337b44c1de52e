/** The builder of `dev.ts` in a separate process, which can be restarted when the builder's own source changes. */
import { createWebBuild } from "./web.ts";

export interface BuildReport {
  readonly problem?: string;
  readonly modulePaths: readonly string[];
}

const build = createWebBuild("dist/web", { isQuick: true });

process.on(
  "message",
  ({ files }: { readonly files?: readonly string[] }) => void reportBuild(files),
);

async function reportBuild(files: readonly string[] | undefined): Promise<void> {
  const problem = await build(files).then(() => undefined, Bun.inspect);
  const report: BuildReport = {
    modulePaths: Object.keys(require.cache),
    ...(problem && { problem }),
  };
  process.send?.(report);
}
