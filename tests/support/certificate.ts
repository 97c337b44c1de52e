/** A self-signed certificate. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "../../src/server/cli/https/certificateStore.ts";

/** Creates a certificate for a name, valid for this many days. `moreArgs` are passed to openssl. */
export async function createSelfSignedCertificate(
  days: number,
  name = "a.test",
  moreArgs: readonly string[] = [],
): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const keyArgs = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const args = [...keyArgs, "-days", String(days), "-subj", `/CN=${name}`, ...moreArgs];
  try {
    await Bun.$`openssl req -x509 ${args} -keyout ${key} -out ${cert}`.quiet();
    return { domain: name, key: await Bun.file(key).text(), chain: await Bun.file(cert).text() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
