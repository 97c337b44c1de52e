/** How the own account is secured, as the server tells it. */
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";

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

const KEY = ["auth", "security"];

/** Read anew each time it is shown. */
export const useSecurity = () =>
  useQuery({
    queryKey: KEY,
    staleTime: 0,
    queryFn: () => withSession(() => call<SecurityState>("/api/auth/security")),
  });

/** Reads it again after a change. */
export const refreshSecurity = () => queryClient.invalidateQueries({ queryKey: KEY });
