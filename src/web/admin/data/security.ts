/** How the own account is secured, as the server tells it. */
import { readAgain, resource, useResource } from "./resource.ts";

/** A passkey without its key. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** As GET /api/auth/security returns it. */
export interface SecurityState {
  /** The owner asks everybody for a second factor. */
  readonly isAsked: boolean;
  readonly passkeys: readonly Passkey[];
  /** Why there can be none here; null where there can. */
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
export const refreshSecurity = () => readAgain(PATH);
