/** Signed links to write a testimonial and to take it back, which nobody can guess. */
import { tokenSigner } from "../shared/signedTokens.ts";

export const SAY_PATH = "/say";

export type SayLinks = ReturnType<typeof sayLinks>;

/** Links signed with `secret`; the request decides whether one is still valid. */
export function sayLinks(secret: () => string) {
  const { make, read } = tokenSigner(secret, "testimonial", 32);
  return {
    /** A path with its token. */
    make: (requestId: string) => `${SAY_PATH}?t=${make(requestId)}`,
    /** The id of a token's request; undefined for a token that isn't ours. */
    read: (token: string | null) => read(token),
  };
}
