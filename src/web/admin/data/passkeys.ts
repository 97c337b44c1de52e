/** Passkeys in the browser: making one, and logging in with one. Loaded when somebody asks for it. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { call, CallFailed } from "../../shared/api.ts";
import { api } from "./client.ts";
import type { Passkey } from "./security.ts";
import { browserZone, rememberUser } from "./session.ts";

/** Whether this browser has passkeys, here: over https, or on the machine itself. */
export const hasPasskeys = () => browserSupportsWebAuthn();

/** Makes a passkey on this device and tells the site. Throws CallFailed, or what the browser throws. */
export async function addPasskey(name: string): Promise<Passkey> {
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  const options = await api.post<Options>("/api/auth/passkeys/options");
  const answer = await startRegistration({ optionsJSON: options });
  return api.post<Passkey>("/api/auth/passkeys", { name, answer });
}

/** What a passkey answers to the site: `alone` instead of a password, else after it. */
export async function passkeyAnswer(alone: boolean): Promise<object> {
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const body = { alone };
  const options = await call<Options>("/api/auth/passkey-options", { method: "POST", body });
  return startAuthentication({ optionsJSON: options });
}

/** Logs in with a passkey alone. Throws CallFailed, or what the browser throws. */
export async function logInWithPasskey(): Promise<void> {
  const body = { ...(await passkeyAnswer(true)), timeZone: browserZone() };
  rememberUser(await call<CurrentUser>("/api/auth/passkey-login", { method: "POST", body }));
}

/** Why it didn't work, in words; undefined where the person themselves turned away. */
export function passkeyFailure(error: unknown): string | undefined {
  if (error instanceof CallFailed) return error.message;
  const { name } = error as Error;
  if (name === "InvalidStateError") return "This device has a passkey for this account already.";
  if (name === "NotAllowedError" || name === "AbortError") return undefined;
  if (error instanceof TypeError) return "Check your connection, then try again.";
  return "The passkey couldn't be used. Try again.";
}
