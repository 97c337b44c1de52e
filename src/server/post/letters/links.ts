/** The links by which somebody on the mailing list confirms and leaves: signed, so that nobody does it for another. */
import { signed } from "../../shared/signed.ts";

/** What a link is good for. */
export type ListLink =
  | { readonly kind: "confirm"; readonly id: string; readonly at: number }
  /** `letter`: the id of the letter it was in. */
  | { readonly kind: "leave"; readonly id: string; readonly letter: string | null };

export interface ListLinks {
  /** Paths, each with its token. */
  confirm(id: string, now: number): string;
  leave(id: string, letter?: string): string;
  /** Undefined for a token that is not ours. */
  read(token: string | null): ListLink | undefined;
}

export const CONFIRM_PATH = "/confirm-subscription";
export const LEAVE_PATH = "/unsubscribe";

/** Links that `secret` signs. */
export function listLinks(secret: () => string): ListLinks {
  const { make, read } = signed(secret, "mailing-list", 32);
  return {
    confirm: (id, now) => `${CONFIRM_PATH}?t=${make(`c.${id}.${now.toString(36)}`)}`,
    leave: (id, letter = "") => `${LEAVE_PATH}?t=${make(`u.${id}.${letter}`)}`,
    read(token) {
      const [kind, id = "", more = ""] = read(token)?.split(".") ?? [];
      if (kind === "c") return { kind: "confirm", id, at: Number.parseInt(more, 36) };
      return kind === "u" ? { kind: "leave", id, letter: more || null } : undefined;
    },
  };
}

/** For a message to somebody on the list: mail programs show a button for it (RFC 2369, RFC 8058). */
export function listHeaders(leave: string, domain: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${leave}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-ID": `<updates.${domain}>`,
  };
}
