/** The security of the user's own account. */
import type { Passkey } from "../../../../schema/people/accounts.ts";
import { refetch, resource, useResource } from "../../data/resource.ts";

/** A passkey as it is listed, without its key. */
export type ListedPasskey = Readonly<Pick<Passkey, "id" | "name" | "createdAt" | "lastUsedAt">>;

/** The response of GET /api/auth/security. */
export interface SecurityState {
  /** The owner requires a second factor of everyone. */
  readonly isRequired: boolean;
  readonly passkeys: readonly ListedPasskey[];
  /** Why passkeys can't be used here; null if they can. */
  readonly passkeysImpossible: string | null;
  readonly authenticator: { readonly confirmedAt: string } | null;
  readonly recoveryCodes: {
    readonly left: number;
    readonly of: number;
    readonly madeAt: string;
  } | null;
}

const PATH = "/api/auth/security";

export const useSecurity = () => useResource(resource<SecurityState>(PATH));

/** Reads it again after a change. */
export const refreshSecurity = () => refetch(PATH);
