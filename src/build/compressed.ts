/** Compresses built text files once, at the best level, beside the plain file. */
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Writes `.br` and `.gz` beside a text file; answers their names, or none when nothing is gained. */
export async function compressed(
  directory: string,
  name: string,
): Promise<{ br?: string; gzip?: string }> {
  if (!/\.(js|css|svg)$/.test(name)) return {};
  const bytes = await Bun.file(join(directory, name)).bytes();
  const br = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  if (br.length >= bytes.length) return {};
  await Bun.write(join(directory, `${name}.br`), br);
  await Bun.write(join(directory, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  return { br: `${name}.br`, gzip: `${name}.gz` };
}
