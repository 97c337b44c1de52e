/** Parses the settings that name a bucket. */

export interface S3Location {
  readonly bucket: string;
  /** The beginning of all object names: a path with a trailing slash, or "". */
  readonly prefix: string;
  /** The URL of the S3 service; undefined for Amazon's own. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

const S3_LOCATION_RULE =
  "must be an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-1";

/** Parses `s3://bucket/folder?endpoint=…&region=…`. Throws an Error whose message follows the setting's name. */
export function parseS3Location(text: string): S3Location {
  const url = text.startsWith("s3://") && URL.parse(text);
  if (!url || url.hostname === "" || url.username || url.password || url.hash)
    throw new Error(S3_LOCATION_RULE);
  const { hostname: bucket, pathname, searchParams } = url;
  const endpoint = searchParams.get("endpoint") ?? undefined;
  const areParametersValid = [...searchParams.keys()].every(
    (name) => name === "endpoint" || name === "region",
  );
  if (!areParametersValid || (endpoint !== undefined && !isEndpoint(endpoint)))
    throw new Error(S3_LOCATION_RULE);
  const folders = pathname.split("/").filter((part) => part !== "");
  return {
    bucket,
    prefix: folders.map((part) => `${part}/`).join(""),
    endpoint: endpoint?.replace(/\/$/, ""),
    region: searchParams.get("region")?.trim() || undefined,
  };
}

/** Whether a text is an http or https URL without a path. */
const isEndpoint = (text: string) => /^https?:\/\/[\w.:[\]-]+\/?$/.test(text) && URL.canParse(text);
