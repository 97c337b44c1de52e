/** A certificate that nobody has to be asked for. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "../../src/server/cli/https/certificateStore.ts";

/** One for a name, good from now for so many days; `more` is what else openssl is told. */
export async function selfSigned(
  days: number,
  name = "a.test",
  more: readonly string[] = [],
): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const certificateArgs = [
    "-days",
    String(days),
    "-subj",
    `/CN=${name}`,
    "-keyout",
    key,
    "-out",
    cert,
  ];
  try {
    Bun.spawnSync(["openssl", ...args, ...certificateArgs, ...more]);
    return { domain: name, key: await Bun.file(key).text(), chain: await Bun.file(cert).text() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
