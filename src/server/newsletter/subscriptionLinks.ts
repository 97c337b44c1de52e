/** Signed links to confirm a subscription or to unsubscribe, so that nobody can do so for somebody else. */
import { createTokenSigner } from "../shared/signedTokens.ts";

export type SubscriptionLinks = ReturnType<typeof createSubscriptionLinks>;

export const CONFIRM_PATH = "/confirm-subscription";
export const UNSUBSCRIBE_PATH = "/unsubscribe";

export function createSubscriptionLinks(getSecret: () => string) {
  const { createToken, readToken } = createTokenSigner(getSecret, "mailing-list", 32);
  return {
    /** `now` is in milliseconds since 1970. The link works for 7 days. */
    createConfirmPath: (id: string, now: number) =>
      `${CONFIRM_PATH}?t=${createToken(`c.${id}.${now.toString(36)}`)}`,
    /** `letterId` is the letter with the link; empty for other messages. */
    createUnsubscribePath: (id: string, letterId: string = "") =>
      `${UNSUBSCRIBE_PATH}?t=${createToken(`u.${id}.${letterId}`)}`,
    /** Returns undefined if it isn't the token of a confirmation link. */
    readConfirmation(token: string | null) {
      const [kind, id = "", time = ""] = readToken(token)?.split(".") ?? [];
      return kind === "c" ? { id, createdAt: Number.parseInt(time, 36) } : undefined;
    },
    /** Returns undefined if it isn't the token of an unsubscribe link. */
    readUnsubscription(token: string | null) {
      const [kind, id = "", letterId = ""] = readToken(token)?.split(".") ?? [];
      return kind === "u" ? { id, letter: letterId } : undefined;
    },
  };
}

/** Makes mail programs show an unsubscribe button (RFC 2369, RFC 8058). */
export function createUnsubscribeHeaders(unsubscribeUrl: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-ID": `<updates.${new URL(unsubscribeUrl).hostname}>`,
  };
}
