/**
 * Posts to URLs that users enter. URLs inside the site's own network are refused: they could reach servers behind the
 * firewall (OWASP, server-side request forgery). All addresses of the host are checked, the request connects only to
 * these, and redirects aren't followed.
 */
import { parseUrl } from "../../schema/core/boundedUnicode.ts";
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { createAddressMatcher, isPrivateAddress } from "../http/visitor.ts";
import { DeliveryAbortedError, DeliveryError } from "../mail/transports/deliveryError.ts";

interface ExternalRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** True: URLs inside the site's network are allowed, even without TLS (PRIVATE_CALLS=on). */
  readonly canUsePrivateNetwork: boolean;
  /** Aborts the request, which then throws a `DeliveryAbortedError`. */
  readonly stopSignal: AbortSignal;
}

interface ExternalResponse {
  readonly status: number;
  /** The beginning of the response's body. */
  readonly responseText: string;
}

/** The maximum duration of a request, with its response. */
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_TEXT_LENGTH = 300;

/** Posts a request. Throws a `DeliveryError` if nothing responds, or if the URL isn't allowed. */
export async function postExternally(options: ExternalRequest): Promise<ExternalResponse> {
  const { url, headers, body, canUsePrivateNetwork, stopSignal } = options;
  const addresses = await resolveAddresses(url);
  if (!canUsePrivateNetwork && addresses.some(isInternalAddress))
    throw new DeliveryError("connection", INTERNAL_URL_MESSAGE, null, true);
  // The URL may have been stored while PRIVATE_CALLS was on.
  if (!canUsePrivateNetwork && url.protocol !== "https:")
    throw new DeliveryError("connection", UNENCRYPTED_URL_MESSAGE, null, true);
  // Loaded when first needed, so that the site starts faster.
  const { request } = await (url.protocol === "https:"
    ? import("node:https")
    : import("node:http"));
  return new Promise((resolve, reject) => {
    const fail = ({ code = "" }: { code?: string }) => {
      if (stopSignal.aborted) return reject(new DeliveryAbortedError());
      reject(
        CERTIFICATE_ERROR_PATTERN.test(code)
          ? new DeliveryError("certificate", UNTRUSTED_CERTIFICATE_MESSAGE)
          : new DeliveryError("connection", NO_RESPONSE_MESSAGE),
      );
    };
    const checkedAddresses = addresses.map((address) => ({ address, family: isIP(address) }));
    const requestOptions = {
      method: "POST",
      signal: AbortSignal.any([stopSignal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // Connects to the checked addresses, even if the host name has others by now.
      lookup: (_name: string, _options: object, callback: LookupCallback) =>
        callback(null, checkedAddresses),
    };
    const onResponse = (response: IncomingMessage) => void readResponse(response, resolve);
    const clientRequest = request(url, requestOptions, onResponse);
    clientRequest.on("error", fail);
    clientRequest.end(body);
  });
}

type LookupCallback = (error: null, addresses: { address: string; family: number }[]) => void;

async function readResponse(
  response: IncomingMessage,
  resolve: (response: ExternalResponse) => void,
): Promise<void> {
  let body = "";
  try {
    for await (const chunk of response) {
      body += String(chunk);
      if (body.length >= MAX_RESPONSE_TEXT_LENGTH) break;
    }
  } catch {
    // Ignored: the status is known, and an incomplete body is only shown to the owner.
  }
  response.destroy();
  resolve({
    status: response.statusCode ?? 0,
    responseText: body.replace(/\s+/g, " ").trim().slice(0, MAX_RESPONSE_TEXT_LENGTH),
  });
}

/** Returns why a user can't enter this URL; undefined if it is allowed, or if its host name can't be resolved. */
export async function findExternalUrlProblem(
  urlText: string,
  canUsePrivateNetwork: boolean,
): Promise<string | undefined> {
  const url = parseUrl(urlText);
  if (!url) return INVALID_URL_MESSAGE;
  const hasPermittedProtocol =
    url.protocol === "https:" || (canUsePrivateNetwork && url.protocol === "http:");
  if (!hasPermittedProtocol || url.username !== "" || url.password !== "")
    return INVALID_URL_MESSAGE;
  if (canUsePrivateNetwork) return undefined;
  const addresses = await resolveAddresses(url).catch(() => []);
  return addresses.some(isInternalAddress) ? INTERNAL_URL_MESSAGE : undefined;
}

async function resolveAddresses({ hostname }: URL): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new DeliveryError("name", UNKNOWN_HOST_MESSAGE);
  }
}

/** Global unicast addresses (RFC 4291, 2.4). `isReservedAddress` excludes those that embed an IPv4 address. */
const isGlobalIpv6 = createAddressMatcher(["2000::/3"]);
const isReservedAddress = createAddressMatcher([
  "0.0.0.0/8",
  "192.0.0.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
]);

function isInternalAddress(address: string): boolean {
  if (isPrivateAddress(address) || isReservedAddress(address)) return true;
  return isIP(address) === 6 && !isGlobalIpv6(address);
}

/** Matches the TLS library's error codes for rejected certificates. */
const CERTIFICATE_ERROR_PATTERN = /CERT|ALTNAME|SIGNATURE|ISSUER|CHAIN/;

const INVALID_URL_MESSAGE =
  "Enter a URL that starts with https://, without a username or password.";
const INTERNAL_URL_MESSAGE =
  "This URL is inside the site's own network, which is blocked. PRIVATE_CALLS=on allows it.";
const UNENCRYPTED_URL_MESSAGE =
  "This URL starts with http://, which only PRIVATE_CALLS=on allows. Use one that starts with https://.";
const UNKNOWN_HOST_MESSAGE = "No server has this name. Check the spelling of the URL.";
const UNTRUSTED_CERTIFICATE_MESSAGE =
  "The certificate at this URL isn't trusted, or is for another name. Replace it on that server.";
const NO_RESPONSE_MESSAGE = "Nothing responds at this URL.";
