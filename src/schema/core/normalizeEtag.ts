/** What a compressing proxy adds to an ETag: `W/"hash"`, or as Apache and Caddy do, `"hash-gzip"`. */
const ADDED_PATTERN = /^W\/|-(?:gzip|br|zstd|deflate)(?="$)/g;

/** Returns the ETag without a proxy's additions, for comparing. The hash still identifies the value. */
export const normalizeEtag = (etag: string): string => etag.replace(ADDED_PATTERN, "");
