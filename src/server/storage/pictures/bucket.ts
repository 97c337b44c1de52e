/** Reads and writes an S3-compatible bucket. Only complete objects are visible, so writes need no temporary names. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { cannotStore, Refusal } from "../../shared/errors.ts";
import type { Config } from "../../shared/config.ts";
import type { S3Location } from "../../shared/s3Location.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";
import { withTimeout } from "../../shared/concurrency.ts";

export interface StoredObject {
  /** The object's name without the prefix that was given to `list`. */
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  /** The time of the last change, in milliseconds since 1970-01-01 (UTC). */
  readonly changedAt: number;
  /** The object's ETag without quotation marks. In most stores, this is the MD5 of the content in hexadecimal. */
  readonly etag: string;
}

/** All calls throw `cannot_store`, whose message explains what failed and what to check. */
export interface Bucket {
  /** The bucket and its store's host, for messages. */
  readonly location: string;
  /** Lists the objects whose names start with `prefix`; with `isFlat`, only those without a slash after the prefix. */
  list(prefix: string, isFlat?: boolean): Promise<StoredObject[]>;
  /** Reads an object's bytes, up to the offset `end` if it is given; undefined if the object doesn't exist. */
  read(key: string, end?: number): Promise<Uint8Array | undefined>;
  write(key: string, bytes: Uint8Array, mediaType?: string): Promise<void>;
  /** Removes an object, if it exists. */
  remove(key: string): Promise<void>;
  /** Calls `work` with the client, and converts its errors to `cannot_store`. Set `isReading` if `work` only reads. */
  withClient<T>(
    work: (client: Bun.S3Client) => Promise<T>,
    options?: { readonly isReading: boolean },
  ): Promise<T>;
  /** Awaits `work`. Throws if it takes longer than `stallTimeoutMs`. */
  withStallTimeout<T>(work: Promise<T> | T): Promise<T>;
}

interface BucketOptions {
  /** The start of messages, such as "The picture bucket". */
  readonly label: string;
  readonly setting: string;
  /** A store that transfers nothing for this long is treated as unavailable. */
  readonly stallTimeoutMs: number;
}

/** The settings with the key to an S3 store. Both are required if BACKUP_S3 or UPLOADS_S3 is set. */
export type S3Credentials = Pick<Config, "s3AccessKeyId" | "s3SecretAccessKey">;

export function openBucket(
  location: S3Location,
  credentials: S3Credentials,
  options: BucketOptions,
): Bucket {
  const { bucket, endpoint } = location;
  const client = createClient(location, credentials);
  const locationText = `${bucket} at ${endpoint ? new URL(endpoint).host : "Amazon S3"}`;
  const withStallTimeout = <T>(work: Promise<T> | T) =>
    withTimeout(work, options.stallTimeoutMs, () => new TooSlowError());
  const withClient: Bucket["withClient"] = async (work, { isReading } = { isReading: false }) => {
    try {
      return await work(client);
    } catch (error) {
      if (isReading && isNotFoundError(error))
        throw cannotStore(`${options.label} (${locationText}) no longer has this file.`, error);
      throw error instanceof Refusal ? error : toBucketRefusal(error, locationText, options);
    }
  };
  return {
    location: locationText,
    withClient,
    withStallTimeout,
    list: (prefix, isFlat = false) =>
      withClient((s3) => listObjects(s3, prefix, isFlat, withStallTimeout)),
    read: (key, end) =>
      withClient(async (s3) => {
        const file = s3.file(key);
        const readBytes = () =>
          withStallTimeout((end === undefined ? file : file.slice(0, end)).bytes());
        // A failed read is repeated once, because a connection may break.
        return await readBytes().catch((error: unknown) =>
          isNotFoundError(error)
            ? undefined
            : isFinalError(error)
              ? Promise.reject(error)
              : readBytes(),
        );
      }),
    write: (key, bytes, mediaType = "application/octet-stream") =>
      withClient(
        async (s3) => void (await withStallTimeout(s3.write(key, bytes, { type: mediaType }))),
      ),
    remove: (key) =>
      withClient(async (s3) => {
        await withStallTimeout(s3.delete(key)).catch((error: unknown) => {
          if (!isNotFoundError(error)) throw error;
        });
      }),
  };
}

function createClient(
  { bucket, endpoint, region }: S3Location,
  { s3AccessKeyId, s3SecretAccessKey }: S3Credentials,
): Bun.S3Client {
  // Always passes an endpoint and a region. The client would otherwise use variables such as AWS_REGION.
  const effectiveRegion = region ?? (endpoint === undefined ? "us-east-1" : "auto");
  return new Bun.S3Client({
    bucket,
    endpoint: endpoint ?? `https://s3.${effectiveRegion}.amazonaws.com`,
    region: effectiveRegion,
    accessKeyId: assertDefined(s3AccessKeyId, "S3_ACCESS_KEY_ID"),
    secretAccessKey: assertDefined(s3SecretAccessKey, "S3_SECRET_ACCESS_KEY"),
    retry: 3,
  });
}

async function listObjects(
  client: Bun.S3Client,
  prefix: string,
  isFlat: boolean,
  withStallTimeout: Bucket["withStallTimeout"],
): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  let continuationToken: string | undefined;
  do {
    const page = await withStallTimeout(
      client.list({
        ...(prefix && { prefix }),
        ...(isFlat && { delimiter: "/" }),
        maxKeys: 1000,
        ...(continuationToken && { continuationToken }),
      }),
    );
    for (const { key, size, lastModified, eTag } of page.contents ?? [])
      objects.push({
        name: key.slice(prefix.length),
        size: size ?? 0,
        changedAt: Date.parse(lastModified ?? "") || 0,
        etag: (eTag ?? "").replaceAll('"', ""),
      });
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken);
  return objects;
}

class TooSlowError extends Error {
  readonly code = "TooSlow";
}

const isNotFoundError = (error: unknown) => getErrorCode(error) === "NoSuchKey";

/** Whether the store refused the request or didn't respond. An immediate retry would fail too. */
const isFinalError = (error: unknown) => Object.hasOwn(REASONS_BY_CODE, getErrorCode(error) ?? "");

const KEY_REJECTED_REASON = "it rejects the key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
const KEY_EXPIRED_REASON =
  "the key has expired. Set a new one in S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";
const WRONG_REGION_REASON =
  "it is in another region. Add its region to SETTING, for example region=eu-1";
const NO_RESPONSE_REASON = "it isn't responding";
const NOT_A_STORE_REASON = "the server there isn't S3-compatible. Check the endpoint in SETTING";
const LOCKED_ACCOUNT_REASON = "its provider has locked the account. Log in there to see why";
const FULL_REASON = "it is full, or its provider's limit is reached";
const BUSY_REASON = "it is busy or failing. Try again later";

/** What is wrong, by error code. SETTING stands for the name of the setting that has the bucket's address. */
const REASONS_BY_CODE: Readonly<Record<string, string>> = {
  NoSuchBucket: "the bucket doesn't exist. Check SETTING",
  SignatureDoesNotMatch: KEY_REJECTED_REASON,
  InvalidAccessKeyId: KEY_REJECTED_REASON,
  InvalidToken: KEY_REJECTED_REASON,
  Unauthorized: KEY_REJECTED_REASON,
  AuthorizationHeaderMalformed: WRONG_REGION_REASON,
  IllegalLocationConstraintException: WRONG_REGION_REASON,
  InvalidRegionName: WRONG_REGION_REASON,
  PermanentRedirect: WRONG_REGION_REASON,
  TemporaryRedirect: WRONG_REGION_REASON,
  ExpiredToken: KEY_EXPIRED_REASON,
  // Backblaze uses this code both for a missing permission and for a reached limit.
  AccessDenied:
    "the key lacks permission, or a limit of the account is reached. The key must be able to list, read, write and delete",
  AccountProblem: LOCKED_ACCOUNT_REASON,
  AllAccessDisabled: LOCKED_ACCOUNT_REASON,
  NotSignedUp: LOCKED_ACCOUNT_REASON,
  UserSuspended: LOCKED_ACCOUNT_REASON,
  QuotaExceeded: FULL_REASON,
  XMinioStorageFull: FULL_REASON,
  RequestTimeTooSkewed: "the clock of this machine is wrong. Set it, then try again",
  ConnectionRefused: NO_RESPONSE_REASON,
  TooSlow: NO_RESPONSE_REASON,
  DNSResolveFailed: "no server has this name. Check the endpoint in SETTING",
  TLSHandshakeFailed:
    "it offers no encrypted connection at this port. Check the endpoint in SETTING",
  // Missing objects are handled elsewhere. For lists and uploads, no S3 store sends this code.
  NoSuchKey: NOT_A_STORE_REASON,
  InvalidResponse: NOT_A_STORE_REASON,
};

/** The reasons of temporary problems, by error code. An immediate retry may succeed. */
const TEMPORARY_REASONS_BY_CODE: Readonly<Record<string, string>> = {
  ConnectionClosed: NO_RESPONSE_REASON,
  InternalError: BUSY_REASON,
  RequestTimeout: BUSY_REASON,
  ServiceUnavailable: BUSY_REASON,
  SlowDown: BUSY_REASON,
  TooManyRequests: BUSY_REASON,
  XMinioServerNotInitialized: BUSY_REASON,
  // The S3 client uses this code if the response has none, for example because a proxy sent the response.
  UnknownError: "it gave no reason. Check the endpoint in SETTING, or try again later",
};

/** Matches the error codes with which the TLS library rejects a certificate. */
const CERTIFICATE_CODE_PATTERN = /CERT|ISSUER|SIGNATURE/;
const CERTIFICATE_REASON = "its certificate isn't trusted, or is for another name";

function findReason(code: string): string {
  const reasons = [REASONS_BY_CODE, TEMPORARY_REASONS_BY_CODE];
  const reason = reasons.find((each) => Object.hasOwn(each, code))?.[code];
  return reason ?? (CERTIFICATE_CODE_PATTERN.test(code) ? CERTIFICATE_REASON : code);
}

function toBucketRefusal(
  error: unknown,
  locationText: string,
  { label, setting }: BucketOptions,
): Refusal {
  const code = getErrorCode(error) ?? (error as Error).name;
  const reason = findReason(code).replace("SETTING", setting);
  return cannotStore(`${label} (${locationText}) can't be used: ${reason}.`, error);
}
