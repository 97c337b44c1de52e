/** Keeps a save from overwriting one that it has not seen (design.md section 5, If-Match). */
import { etagOf, namesEtag } from "../http/etag.ts";
import { Refusal, changedElsewhere } from "../http/refusal.ts";

/**
 * To be called inside the store's update, with what the owner's GET answers now. Raises a 412 with
 * it as `current` when the request names another state.
 */
export function requireMatch(request: Request, current: unknown): void {
  const expected = request.headers.get("if-match");
  if (expected === null) return;
  const etag = etagOf(current);
  if (namesEtag(expected, etag)) return;
  const { status, body } = changedElsewhere(current);
  throw new Refusal(status, body, { etag });
}
