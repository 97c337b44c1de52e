/** The person behind a valid session. */
import type { CurrentUser } from "../../schema/accounts.ts";

/** An owner who is logged in; handlers under the guard find it as `owner`, others as `viewer`. */
export interface Owner extends CurrentUser {
  readonly userId: string;
  readonly sessionId: string;
}
