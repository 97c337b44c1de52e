/** Signed links to confirm or leave the mailing list, so nobody can do it for someone else. */
import { createTokenSigner } from "../shared/signedTokens.ts";

export type SubscriptionLinks = ReturnType<typeof createSubscriptionLinks>;

export const CONFIRM_PATH = "/confirm-subscription";
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/** Creates paths with a token that is signed with the secret of `getSecret`, and reads these tokens. */
export function createSubscriptionLinks(getSecret: () => string) {
  const { createToken, readToken } = createTokenSigner(getSecret, "mailing-list", 32);
  return {
    /** `now` is in milliseconds since 1970; the link expires some days later. */
    createConfirmPath: (id: string, now: number) =>
      `${CONFIRM_PATH}?t=${createToken(`c.${id}.${now.toString(36)}`)}`,
    /** `letterId` is the id of the letter that contains the link. */
    createUnsubscribePath: (id: string, letterId: string = "") =>
      `${UNSUBSCRIBE_PATH}?t=${createToken(`u.${id}.${letterId}`)}`,
    /** Reads the token of a confirmation link; undefined for any other token. */
    readConfirmation(token: string | null) {
      const [kind, id = "", time = ""] = readToken(token)?.split(".") ?? [];
      return kind === "c" ? { id, createdAt: Number.parseInt(time, 36) } : undefined;
    },
    /** Reads the token of an unsubscribe link; undefined for any other token. */
    readUnsubscription(token: string | null) {
      const [kind, id = "", letterId = ""] = readToken(token)?.split(".") ?? [];
      return kind === "u" ? { id, letter: letterId } : undefined;
    },
  };
}

/** The headers of messages to the list, by which mail programs show an unsubscribe button (RFC 2369, RFC 8058). */
export function createUnsubscribeHeaders(unsubscribeUrl: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-ID": `<updates.${new URL(unsubscribeUrl).hostname}>`,
  };
}
