/** Creates and uses a passkey as a device does, without a browser: ES256, no attestation (WebAuthn, level 2). */
import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { Client } from "./client.ts";

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

export interface DevicePasskey {
  readonly id: string;
  /** Returns the body that the browser sends to register the passkey. */
  register(challenge: string): object;
  /** Returns the body that the browser sends to log in with the passkey. */
  logIn(challenge: string): object;
}

/** Creates a passkey for a site at this address. `id` may be that of another device's passkey. */
export function createPasskey(url: string, id: string = base64url(randomBytes(16))): DevicePasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // COSE (RFC 9053): kty 2, alg -7, crv 1, x, y.
  const coseKey = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  const raw = Buffer.from(id, "base64url");
  const { hostname } = new URL(url);
  /** Bits for a present and verified user; 0x40 is added if `more` follows. */
  const createAuthenticatorData = (more: Uint8Array) =>
    Buffer.concat([sha256(hostname), Buffer.of(more.length > 0 ? 0x45 : 0x05, 0, 0, 0, 0), more]);
  const createClientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: url, crossOrigin: false }));
  const createCredential = (response: object) => ({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
  return {
    id,
    register(challenge) {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, raw.length), raw, coseKey]);
      const data = createAuthenticatorData(credential);
      // CBOR: {fmt: "none", attStmt: {}, authData: bytes whose length is given in 16 bits}.
      const attestation = Buffer.concat([
        Buffer.of(0xa3, 0x63),
        Buffer.from("fmt"),
        Buffer.of(0x64),
        Buffer.from("none"),
        Buffer.of(0x67),
        Buffer.from("attStmt"),
        Buffer.of(0xa0, 0x68),
        Buffer.from("authData"),
        Buffer.of(0x59, data.length >> 8, data.length & 255),
        data,
      ]);
      return createCredential({
        clientDataJSON: base64url(createClientData("webauthn.create", challenge)),
        attestationObject: base64url(attestation),
        transports: ["internal"],
      });
    },
    logIn(challenge) {
      const data = createAuthenticatorData(new Uint8Array());
      const clientData = createClientData("webauthn.get", challenge);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(clientData)]))
        .sign(privateKey);
      return createCredential({
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      });
    },
  };
}

/** Adds a passkey to the logged-in account. Returns the response. */
export async function addPasskey(client: Client, passkey: DevicePasskey, headers = {}) {
  const options = await client.post("/api/auth/passkeys/options", undefined, headers);
  const response = passkey.register(options.body.challenge);
  return client.post("/api/auth/passkeys", { name: "Phone", answer: response }, headers);
}

/** Logs in with a passkey only. Returns the response. */
export async function logInWithPasskey(client: Client, passkey: DevicePasskey, headers = {}) {
  const options = await client.post("/api/auth/passkey-options", { alone: true }, headers);
  return client.post("/api/auth/passkey-login", passkey.logIn(options.body.challenge), headers);
}
