/** Signed links to write a testimonial and to take it back, which nobody can guess. */
import { tokenSigner } from "../shared/signedTokens.ts";

export const SAY_PATH = "/say";

export interface SayLinks {
  /** A path with its token. */
  make(requestId: string): string;
  /** The id of a token's request; undefined for a token that isn't ours. */
  read(token: string | null): string | undefined;
}

/** Links signed with `secret`; the request decides whether one is still valid. */
export function sayLinks(secret: () => string): SayLinks {
  const { make, read } = tokenSigner(secret, "testimonial", 32);
  return { make: (requestId) => `${SAY_PATH}?t=${make(requestId)}`, read };
}
