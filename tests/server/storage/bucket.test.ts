/** A bucket's failure is explained to the operator. The simulated responses are those of real stores. */
import { afterAll, describe, expect, test } from "bun:test";
import { downloadArchive } from "../../../src/server/backup/repository/remoteBackups.ts";
import type { Config } from "../../../src/server/shared/config.ts";
import { openBucket } from "../../../src/server/storage/pictures/bucket.ts";
import { createSelfSignedCertificate } from "../../support/certificate.ts";

let respond = () => new Response();
const startServer = (tls?: { key: string; cert: string }) =>
  Bun.serve({ port: 0, hostname: "127.0.0.1", ...(tls && { tls }), fetch: () => respond() });
const storeServer = startServer();
const { key, chain } = await createSelfSignedCertificate(2, "minio");
const encryptedServer = startServer({ key, cert: chain });
afterAll(() => Promise.all([storeServer.stop(true), encryptedServer.stop(true)]));

const KEYS = { s3AccessKeyId: "id", s3SecretAccessKey: "secret" };
const locationAt = (endpoint: string) =>
  ({ bucket: "pictures", prefix: "", endpoint, region: undefined, text: "" }) as const;
const openTestBucket = (endpoint: string) =>
  openBucket(locationAt(endpoint), KEYS, {
    label: "The bucket",
    setting: "UPLOADS_S3",
    stallTimeoutMs: 10_000,
  });
const bucket = openTestBucket(`http://127.0.0.1:${storeServer.port}`);
const catchReason = (work: Promise<unknown>) =>
  work.then(String, ({ message }) => /can't be used: (.*)\.$/.exec(message)?.[1]);

const BUSY = "it is busy or failing. Try again later";
const FULL = "it is full, or its provider's limit is reached";
const KEY = "it rejects the key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
const REGION = "it is in another region. Add its region to UPLOADS_S3, for example region=eu-1";

describe("a refusal by an S3 store is explained", () => {
  test.each([
    [403, "RequestTimeTooSkewed", "", "the clock of this machine is wrong. Set it, then try again"],
    [403, "QuotaExceeded", "Bucket quota exceeded", FULL],
    [507, "XMinioStorageFull", "", FULL],
    [401, "Unauthorized", "", KEY],
    [400, "InvalidRegionName", "", REGION],
    [400, "IllegalLocationConstraintException", "", REGION],
    [503, "SlowDown", "Please reduce your request rate.", BUSY],
    [503, "XMinioServerNotInitialized", "", BUSY],
    [501, "NotImplemented", "", "NotImplemented"],
    [400, "constructor", "", "constructor"],
  ])("%i %s", async (status, code, message, reason) => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    respond = () => new Response(body, { status });
    expect(await catchReason(bucket.list(""))).toBe(reason);
    expect(await catchReason(bucket.write("a.jpg", new Uint8Array(3)))).toBe(reason);
  });

  test("if the response has no error code and is from another kind of server", async () => {
    respond = () => new Response("404 page not found", { status: 404 });
    const other = "the server there isn't S3-compatible. Check the endpoint in UPLOADS_S3";
    expect(await catchReason(bucket.list(""))).toBe(other);
    respond = () => new Response("<html>Log in</html>");
    expect(await catchReason(bucket.list(""))).toBe(other);
    respond = () => new Response("<html>Bad Gateway</html>", { status: 502 });
    expect(await catchReason(bucket.list(""))).toStartWith("it gave no reason. ");
  });
});

test("an object deleted from the bucket is reported as missing, not as a wrong endpoint", async () => {
  respond = () => new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
  const at = `127.0.0.1:${storeServer.port}`;
  const config = { backupS3: locationAt(`http://${at}`), ...KEYS } as unknown as Config;
  const gone = downloadArchive(config, "limelight-1.tar.gz.age", "/nowhere/archive");
  expect(await gone.then(String, ({ message }) => message)).toBe(
    `The backup bucket (pictures at ${at}) no longer has this file.`,
  );
  expect(await bucket.read("a.jpg")).toBeUndefined();
  const notOne = "the server there isn't S3-compatible. Check the endpoint in UPLOADS_S3";
  expect(await catchReason(bucket.list(""))).toBe(notOne);
  expect(await catchReason(bucket.write("a.jpg", new Uint8Array(3)))).toBe(notOne);
});

test("a store's untrusted certificate, missing encryption or unknown server name is explained", async () => {
  const { port } = encryptedServer;
  expect(await catchReason(openTestBucket(`https://127.0.0.1:${port}`).list(""))).toBe(
    "its certificate isn't trusted, or is for another name",
  );
  expect(
    await catchReason(openTestBucket(`https://127.0.0.1:${storeServer.port}`).list("")),
  ).toStartWith("it offers no encrypted connection at this port. ");
  expect(await catchReason(openTestBucket("https://nowhere.invalid").list(""))).toStartWith(
    "no server has this name. ",
  );
});
