/** Signed links to write a testimonial and to take it back, which nobody can guess. */
import { createTokenSigner } from "../shared/signedTokens.ts";

export const TESTIMONIAL_REQUEST_PATH = "/say";

export type TestimonialRequestLinks = ReturnType<typeof createTestimonialRequestLinks>;

/** Links signed with `secret`; the request decides whether one is still valid. */
export function createTestimonialRequestLinks(secret: () => string) {
  const { make, read } = createTokenSigner(secret, "testimonial", 32);
  return {
    /** A path with its token. */
    make: (requestId: string) => `${TESTIMONIAL_REQUEST_PATH}?t=${make(requestId)}`,
    /** The id of a token's request; undefined for a token that isn't ours. */
    read: (token: string | null) => read(token),
  };
}
