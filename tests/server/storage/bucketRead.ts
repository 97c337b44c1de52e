/** A process that reads a picture from the bucket at the address in its argument. */
import { tmpdir } from "node:os";
import { readConfig } from "../../../src/server/shared/config.ts";
import { createBucketStorage } from "../../../src/server/storage/pictures/bucketStorage.ts";

const { config } = readConfig([], {
  ...process.env,
  UPLOADS_S3: process.argv[2],
  S3_ACCESS_KEY_ID: "name",
  S3_SECRET_ACCESS_KEY: "secret",
});
const storage = createBucketStorage(config.uploadsS3!, {
  ...config,
  folder: tmpdir(),
  maxCacheBytes: 0,
});
await storage.read(`${"a".repeat(32)}.webp`);
