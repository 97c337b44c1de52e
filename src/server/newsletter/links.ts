/** Signed links to confirm or leave the mailing list, so that nobody can do it for someone else. */
import { tokenSigner } from "../shared/signedTokens.ts";

export type ListLink =
  | { readonly kind: "confirm"; readonly id: string; readonly at: number }
  /** `letter`: the id of the letter it was in. */
  | { readonly kind: "leave"; readonly id: string; readonly letter: string | null };

export type ListLinks = ReturnType<typeof listLinks>;

export const CONFIRM_PATH = "/confirm-subscription";
export const UNSUBSCRIBE_PATH = "/unsubscribe";

/** Links signed with `secret`. */
export function listLinks(secret: () => string) {
  const { make, read } = tokenSigner(secret, "mailing-list", 32);
  return {
    /** Paths, each with its token. */
    confirm: (id: string, now: number) =>
      `${CONFIRM_PATH}?t=${make(`c.${id}.${now.toString(36)}`)}`,
    unsubscribe: (id: string, letter: string = "") =>
      `${UNSUBSCRIBE_PATH}?t=${make(`u.${id}.${letter}`)}`,
    /** Undefined for a token that isn't ours. */
    read(token: string | null) {
      const [kind, id = "", more = ""] = read(token)?.split(".") ?? [];
      if (kind === "c") return { kind: "confirm", id, at: Number.parseInt(more, 36) };
      return kind === "u" ? { kind: "leave", id, letter: more || null } : undefined;
    },
  };
}

/** For messages to the list: mail programs show an unsubscribe button (RFC 2369, RFC 8058). */
export function unsubscribeHeaders(leave: string, domain: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${leave}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-ID": `<updates.${domain}>`,
  };
}
