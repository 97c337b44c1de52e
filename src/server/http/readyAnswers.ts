/**
 * Finished answers to what is asked for most, sent before the application is asked: pages, built files and
 * pictures as whole responses, of which each visitor gets a copy that shares the bytes. Whatever is unusual
 * about a request (its host, its method, an unknown ETag) goes the long way, which answers everything.
 * Docs: docs/decisions/0012-ready-answers.md.
 */
import { present } from "../../schema/present.ts";
import type { Asked } from "./asked.ts";
import { encodingFor, negotiated, type Representation } from "./conditional.ts";
import { encryptedAt, securityHeaders } from "./securityHeaders.ts";

/** Answers by path. */
export interface ReadyAnswers {
  /** Undefined: there is nothing ready for such a request. */
  answer(request: Request, asked: Asked): Response | undefined;
  /** From now on `path` is answered with this, which must be the newest there is; again, it changes nothing. */
  set(path: string, answer: Representation): void;
  /** From now on `path` goes the long way, until it is set again. */
  delete(path: string): void;
}

/** One path: its whole responses by encoding, or "unchanged" for whoever has it; made when first asked for. */
interface Ready {
  readonly answer: Representation;
  readonly responses: Map<string, Response>;
}

/** `siteUrl` is the one address that is answered; undefined: any that is a plain name or number. */
export function readyAnswers(
  siteUrl: string | undefined,
  encrypted = encryptedAt({ siteUrl, httpsSubdomains: false }),
): ReadyAnswers {
  const ready = new Map<string, Ready>();
  const secure = securityHeaders(encrypted);
  const own = siteUrl === undefined ? undefined : new URL(siteUrl).host;
  const isOwn = (host: string) => (own === undefined ? PLAIN_HOST.test(host) : host === own);
  const encodingOf = rememberedEncodings();

  async function prepare({ answer, responses }: Ready, kind: string): Promise<void> {
    const asked = {
      [kind === UNCHANGED ? "if-none-match" : "accept-encoding"]: nameOf(kind, answer),
    };
    const response = await negotiated(new Request("http://localhost", { headers: asked }), answer);
    secure(response);
    responses.set(kind, response);
  }

  return {
    answer({ method, headers }, { target }) {
      if (method !== "GET") return undefined;
      const found = ready.get(target);
      if (!found || !isOwn(headers.get("host") ?? "") || hasBody(headers)) return undefined;
      if (found.answer.hasRanges && headers.has("range")) return undefined;
      const known = headers.get("if-none-match");
      if (known !== null && known !== found.answer.etag) return undefined;
      const kind =
        known === null ? encodingOf(headers.get("accept-encoding") ?? "", found.answer) : UNCHANGED;
      const response = found.responses.get(kind);
      // A response can be sent once, its copies too; they share the bytes.
      if (response) return response.clone();
      // What can't be read now may be by the long way, which tells of it.
      prepare(found, kind).catch(() => found.responses.clear());
      return undefined;
    },
    set(path, answer) {
      if (ready.get(path)?.answer !== answer) ready.set(path, { answer, responses: new Map() });
    },
    delete: (path) => void ready.delete(path),
  };
}

/** Without a comma, by which Bun joins two Host headers. */
const PLAIN_HOST = /^[\w.-]+(?::\d+)?$/;
const UNCHANGED = "unchanged";

const nameOf = (kind: string, { etag }: Representation) =>
  kind === UNCHANGED ? present(etag, "ETag") : kind;

const hasBody = (headers: Headers) =>
  headers.has("content-length") || headers.has("content-encoding");

/** In headers: those of the browsers there are, and room for the odd one. */
const MOST_REMEMBERED = 100;

/** The encoding that a client prefers, read from its header once. */
function rememberedEncodings(): (accepted: string, answer: Representation) => string {
  const remembered = new Map<string, string>();
  return (accepted, answer) => {
    if (!answer.bytes.br && !answer.bytes.gzip) return "identity";
    if (!answer.bytes.br || answer.isShort) return encodingFor(accepted, answer);
    const known = remembered.get(accepted);
    if (known !== undefined) return known;
    const encoding = encodingFor(accepted, answer);
    if (remembered.size < MOST_REMEMBERED) remembered.set(accepted, encoding);
    return encoding;
  };
}
