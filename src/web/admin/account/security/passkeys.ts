/** Passkeys in the browser: creates passkeys and logs in with them. */
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { callApi, CallError } from "../../../shared/api.ts";
import { getBrowserTimeZone } from "../../../shared/localTime.ts";
import { api } from "../../data/client.ts";
import type { ListedPasskey } from "./security.ts";
import { startSession } from "../../data/session.ts";

/** Browsers support passkeys only over HTTPS and on localhost. */
export const arePasskeysSupported = () => browserSupportsWebAuthn();

/** Creates a passkey in the browser and stores it on the server. Throws CallError, or the browser's error. */
export async function addPasskey(name: string): Promise<ListedPasskey> {
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  const options = await api.post<Options>("/api/auth/passkeys/options");
  const response = await startRegistration({ optionsJSON: options });
  return api.post<ListedPasskey>("/api/auth/passkeys", { name, answer: response });
}

/** Asks the browser for a passkey's signature, instead of a password (`isPasswordless`) or as second factor. */
export async function requestPasskeyResponse(isPasswordless: boolean): Promise<object> {
  type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
  const body = { alone: isPasswordless };
  const options = await callApi<Options>("/api/auth/passkey-options", { method: "POST", body });
  return startAuthentication({ optionsJSON: options });
}

/** Logs in with a passkey instead of a password. Throws CallError, or the browser's error. */
export const logInWithPasskey = () =>
  startSession("/api/auth/passkey-login", async () => ({
    ...(await requestPasskeyResponse(true)),
    timeZone: getBrowserTimeZone(),
  }));

/** Returns why a passkey couldn't be used; undefined if the user canceled. */
export function describePasskeyFailure(error: unknown): string | undefined {
  if (error instanceof CallError && error.message !== "") return error.message;
  const { name } = error as Error;
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError") return undefined;
  if (error instanceof TypeError)
    return "Couldn't reach the server. Check your connection, then try again.";
  return "Couldn't use the passkey. Try again.";
}
