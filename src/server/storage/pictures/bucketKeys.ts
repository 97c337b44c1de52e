/**
 * The key to an S3-compatible store: a permanent one in settings, or temporary ones in a file that another program (a
 * vault's agent, a role's service) renews.
 */
import { present } from "../../../schema/present.ts";
import { readFileSync, statSync } from "node:fs";
import { cannotStore } from "../../shared/errors.ts";

export interface BucketKeys {
  readonly s3AccessKeyId?: string | undefined;
  readonly s3SecretAccessKey?: string | undefined;
  /** A file in the AWS tools' format; preferred to the two. */
  readonly s3Credentials?: string | undefined;
}

/** In the format of Bun's client. */
export interface BucketKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What to check if a store refuses the key. */
export const settingsOf = ({ s3Credentials }: BucketKeys): string =>
  s3Credentials === undefined ? "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY" : "S3_CREDENTIALS";

/** The current key; the same object until it changes. Throws `cannot_store`. */
export function bucketKey(keys: BucketKeys): () => BucketKey {
  const { s3Credentials: file, s3AccessKeyId, s3SecretAccessKey } = keys;
  if (file === undefined) {
    const key = {
      accessKeyId: present(s3AccessKeyId, "S3_ACCESS_KEY_ID"),
      secretAccessKey: present(s3SecretAccessKey, "S3_SECRET_ACCESS_KEY"),
    };
    return () => key;
  }
  let read: { readonly stamp: string; readonly key: BucketKey } | undefined;
  return () => {
    try {
      const { ino, mtimeNs, size } = statSync(file, { bigint: true });
      const stamp = `${ino} ${mtimeNs} ${size}`;
      if (read?.stamp !== stamp) read = { stamp, key: keyIn(readFileSync(file, "utf8")) };
      return read.key;
    } catch (error) {
      throw cannotStore(
        `The key to the S3 store can't be read from ${file}. It has the lines aws_access_key_id, aws_secret_access_key and, where there is one, aws_session_token; see that S3_CREDENTIALS names it and that the service's user may read it.`,
        error,
      );
    }
  };
}

/** Only the first section: others are for other programs. Throws if a line is missing. */
function keyIn(text: string): BucketKey {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.findIndex((line) => line.startsWith("["));
  const next = lines.findIndex((line, at) => at > first && line.startsWith("["));
  const valueOf = (name: string) => {
    const found = lines
      .slice(first + 1, next === -1 ? undefined : next)
      .find((line) => line.replace(/=.*$/s, "").trim() === name);
    return found?.slice(found.indexOf("=") + 1).trim();
  };
  const accessKeyId = valueOf("aws_access_key_id");
  const secretAccessKey = valueOf("aws_secret_access_key");
  const sessionToken = valueOf("aws_session_token");
  if (!accessKeyId || !secretAccessKey) throw new Error("a line is missing");
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
