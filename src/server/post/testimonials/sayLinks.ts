/** The links by which somebody writes a testimonial, and takes it back: signed, so that nobody can guess one. */
import { signed } from "../../shared/signed.ts";

export const SAY_PATH = "/say";

export interface SayLinks {
  /** A path with its token. */
  make(requestId: string): string;
  /** The id of the request that a token was made for; undefined for one that is not ours. */
  read(token: string | null): string | undefined;
}

/** Links that `secret` signs; which of them still work is the request's to say. */
export function sayLinks(secret: () => string): SayLinks {
  const { make, read } = signed(secret, "testimonial", 32);
  return { make: (requestId) => `${SAY_PATH}?t=${make(requestId)}`, read };
}
