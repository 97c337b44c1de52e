/** The security of the user's own account. */
import type { Passkey } from "../../../../schema/people/accounts.ts";
import { refetchPaths, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";

export type ListedPasskey = Readonly<Pick<Passkey, "id" | "name" | "createdAt" | "lastUsedAt">>;

/** The response of GET /api/auth/security. */
export interface SecurityState {
  /** Whether an owner requires a second factor from everyone. */
  readonly isRequired: boolean;
  readonly passkeys: readonly ListedPasskey[];
  /** The server's reason why passkeys can't be used; null if they can be used. */
  readonly passkeysImpossible: string | null;
  readonly authenticator: { readonly confirmedAt: string } | null;
  readonly recoveryCodes: {
    readonly left: number;
    readonly of: number;
    readonly madeAt: string;
  } | null;
}

const SECURITY_PATH = "/api/auth/security";

export const useSecurity = () => useApiQuery(createApiQuery<SecurityState>(SECURITY_PATH));

export const refreshSecurity = () => refetchPaths(SECURITY_PATH);
