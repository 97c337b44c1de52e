/** The links by which somebody on the mailing list confirms and leaves: signed, so that nobody does it for another. */
import { createHmac } from "node:crypto";
import { isSameText } from "../../shared/sameText.ts";

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
  const sign = (text: string) =>
    createHmac("sha256", secret()).update(`mailing-list:${text}`).digest("base64url").slice(0, 32);
  const token = (text: string) => `${text}.${sign(text)}`;
  return {
    confirm: (id, now) => `${CONFIRM_PATH}?t=${token(`c.${id}.${now.toString(36)}`)}`,
    leave: (id, letter = "") => `${LEAVE_PATH}?t=${token(`u.${id}.${letter}`)}`,
    read(given) {
      const [, text, kind, id, more, signature] =
        /^(([cu])\.([\w-]{1,64})\.([\w-]{0,64}))\.([\w-]{32})$/.exec(given ?? "") ?? [];
      if (!text || !isSameText(sign(text), signature!)) return undefined;
      return kind === "c"
        ? { kind: "confirm", id: id!, at: Number.parseInt(more!, 36) }
        : { kind: "leave", id: id!, letter: more || null };
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
