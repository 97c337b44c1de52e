/** A location in an S3-compatible store, as settings give it: `s3://bucket/folder?endpoint=…&region=…`. */
import * as v from "valibot";

export interface S3Location {
  readonly bucket: string;
  /** The prefix of all object names: "" or a path with a trailing slash. */
  readonly prefix: string;
  /** Undefined for Amazon's own endpoint. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** The text of the setting, unchanged. */
  readonly text: string;
}

const S3_LOCATION_RULE =
  "must be an address such as s3://bucket?endpoint=https://s3.example.com&region=eu-1";

export const s3LocationSchema = v.pipe(
  v.string(),
  v.trim(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const location = parseS3Location(value);
    if (location !== undefined) return location;
    addIssue({ message: S3_LOCATION_RULE });
    return NEVER;
  }),
);

function parseS3Location(text: string): S3Location | undefined {
  if (!text.startsWith("s3://") || !URL.canParse(text)) return undefined;
  const { hostname: bucket, pathname, searchParams, username, password, hash } = new URL(text);
  const areParametersValid = [...searchParams.keys()].every(
    (key) => key === "endpoint" || key === "region",
  );
  const endpoint = searchParams.get("endpoint") ?? undefined;
  if (bucket === "" || !areParametersValid || username || password || hash) return undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) return undefined;
  const region = searchParams.get("region")?.trim() || undefined;
  const folders = pathname.split("/").filter((part) => part !== "");
  return {
    bucket,
    prefix: folders.map((part) => `${part}/`).join(""),
    endpoint: endpoint?.replace(/\/$/, ""),
    region,
    text,
  };
}

/** Whether an endpoint is a host with an optional port. */
const isEndpoint = (text: string) => /^https?:\/\/[\w.:[\]-]+\/?$/.test(text) && URL.canParse(text);
