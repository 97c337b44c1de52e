/**
 * Posts to a URL that a user typed, outside the site's own network, so that nobody can reach what is behind its
 * firewall (OWASP, server-side request forgery). The name is resolved once, every address is checked, and only those
 * are connected to; redirects aren't followed.
 */
import { parsedUrl } from "../../schema/core/boundedUnicode.ts";
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { addressMatcher, isPrivateAddress } from "../http/visitor.ts";
import { DeliveryAborted, DeliveryError } from "../mail/carriers/deliveryError.ts";

interface ExternalRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** True: internal addresses are allowed, also without TLS (PRIVATE_CALLS). */
  readonly allowPrivateNetwork: boolean;
  /** Aborts the call with a `DeliveryAborted`. */
  readonly ended?: AbortSignal;
}

interface ExternalResponse {
  readonly status: number;
  /** The beginning of the response body. */
  readonly responseText: string;
}

/** In milliseconds, for the whole call. */
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_RESPONSE_TEXT = 300;

/** Throws a `DeliveryError` if nothing responds or the address isn't allowed. */
export async function postExternally(call: ExternalRequest): Promise<ExternalResponse> {
  const { url, headers, body, allowPrivateNetwork: mayBeInside, ended } = call;
  const addresses = await addressesOf(url);
  if (!mayBeInside && (url.protocol !== "https:" || addresses.some(isInside)))
    throw new DeliveryError("connection", INSIDE, null, true);
  // Loaded when first needed: a start is quicker without them.
  const { request } = await (url.protocol === "https:"
    ? import("node:https")
    : import("node:http"));
  return new Promise((resolve, reject) => {
    const fail = ({ code = "" }: { code?: string }) => {
      if (ended?.aborted) return reject(new DeliveryAborted());
      const isCertificateError = CERTIFICATE.test(code);
      reject(
        isCertificateError
          ? new DeliveryError("certificate", NOT_TRUSTED)
          : new DeliveryError("connection", SILENT),
      );
    };
    const signal = AbortSignal.any([
      ...(ended ? [ended] : []),
      AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ]);
    const options = {
      method: "POST",
      signal,
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      // Only the addresses checked above, even if the name resolves elsewhere.
      lookup: (_name: string, _options: object, callback: LookupCallback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
    };
    const sent = request(url, options, (response) => void answer(response, resolve));
    sent.on("error", fail);
    sent.end(body);
  });
}

type LookupCallback = (error: null, addresses: { address: string; family: number }[]) => void;

async function answer(
  response: IncomingMessage,
  resolve: (response: ExternalResponse) => void,
): Promise<void> {
  let body = "";
  try {
    for await (const chunk of response) {
      body += String(chunk);
      if (body.length >= MAX_RESPONSE_TEXT) break;
    }
  } catch {
    // The status was read, and only that matters.
  }
  response.destroy();
  resolve({
    status: response.statusCode ?? 0,
    responseText: body.replace(/\s+/g, " ").trim().slice(0, MAX_RESPONSE_TEXT),
  });
}

/** The reason why a URL can't be called later; undefined without a known one. */
export async function externalUrlProblem(
  address: string,
  mayBeInside: boolean,
): Promise<string | undefined> {
  const url = parsedUrl(address);
  if (!url) return NO_ADDRESS;
  const isWeb = url.protocol === "https:" || (mayBeInside && url.protocol === "http:");
  if (!isWeb || url.username !== "" || url.password !== "") return NO_ADDRESS;
  if (mayBeInside) return undefined;
  const addresses = await addressesOf(url).catch(() => []);
  return addresses.some(isInside) ? INSIDE : undefined;
}

async function addressesOf({ hostname }: URL): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw new DeliveryError("name", NO_NAME);
  }
}

/** Global IPv6 unicast only (RFC 4291, 2.4), without ranges that embed an IPv4 address. */
const isWorldwide = addressMatcher(["2000::/3"]);
const isNotWorldwide = addressMatcher([
  "0.0.0.0/8",
  "192.0.0.0/24",
  "198.18.0.0/15",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
]);

function isInside(address: string): boolean {
  if (isPrivateAddress(address) || isNotWorldwide(address)) return true;
  return isIP(address) === 6 && !isWorldwide(address);
}

/** The TLS library's error codes for certificates it rejects. */
const CERTIFICATE = /CERT|ALTNAME|SIGNATURE|ISSUER|CHAIN/;

const NO_ADDRESS = "Enter a URL that starts with https://, without a username or password.";
const INSIDE =
  "This URL is inside the site's own network, which is blocked. PRIVATE_CALLS=on allows it.";
const NO_NAME = "No server has this name. Check the spelling of the URL.";
const NOT_TRUSTED =
  "The certificate at this URL isn't trusted, or is for another name. Replace it on that server.";
const SILENT = "Nothing responds at this URL. Limelight will try again.";
