/** Encrypts push messages for a device (RFC 8291), and signs their requests (VAPID, RFC 8292). */
import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";

/** A device's public key and shared secret in base64url, as its browser sends them. */
interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** The site's P-256 key pair: raw bytes as base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const P256_CURVE = "prime256v1";
const toBase64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const decodeBase64url = (text: string) => Buffer.from(text, "base64url");

export function createVapidKeys(): VapidKeys {
  const pair = createECDH(P256_CURVE);
  const publicKey = toBase64url(pair.generateKeys());
  // The private key has 32 bytes, with leading zeros if necessary (RFC 7518, 6.2.2.1).
  const privateKey = toBase64url(Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex"));
  return { publicKey, privateKey };
}

export function arePushKeysValid({ p256dh, auth }: PushKeys): boolean {
  try {
    const pair = createECDH(P256_CURVE);
    pair.generateKeys();
    pair.computeSecret(decodeBase64url(p256dh));
    return decodeBase64url(auth).length === 16;
  } catch {
    return false;
  }
}

const RECORD_SIZE_BYTES = 4096;

/** Returns the body of a push message: one record in aes128gcm (RFC 8188). */
export function encryptPushMessage({ p256dh, auth }: PushKeys, payload: string): Buffer {
  const keyPair = createECDH(P256_CURVE);
  const senderKey = keyPair.generateKeys();
  const receiverKey = decodeBase64url(p256dh);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiverKey, senderKey]);
  const key = deriveKey(keyPair.computeSecret(receiverKey), decodeBase64url(auth), info, 32);
  const salt = randomBytes(16);
  const contentKey = deriveKey(key, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = deriveKey(key, salt, "Content-Encoding: nonce\0", 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  // The byte 2 after the text marks the last record.
  const record = [cipher.update(payload, "utf8"), cipher.update(Buffer.of(2)), cipher.final()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE_BYTES);
  const header = [salt, size, Buffer.of(senderKey.length), senderKey];
  return Buffer.concat([...header, ...record, cipher.getAuthTag()]);
}

const deriveKey = (key: Buffer, salt: Buffer, info: string | Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", key, salt, info, length));

const TOKEN_TTL_S = 12 * 60 * 60;

/** Returns the Authorization header for a push service, which can contact the site at the URL `subject`. */
export function createVapidHeader(
  { publicKey, privateKey }: VapidKeys,
  endpoint: URL,
  subject: string,
  now: number,
): string {
  const exp = Math.floor(now / 1000) + TOKEN_TTL_S;
  const claims = { aud: endpoint.origin, exp, sub: subject };
  const header = toBase64url(JSON.stringify({ typ: "JWT", alg: "ES256" }));
  const signingInput = `${header}.${toBase64url(JSON.stringify(claims))}`;
  const point = decodeBase64url(publicKey);
  const [x, y] = [toBase64url(point.subarray(1, 33)), toBase64url(point.subarray(33))];
  const jwk = { kty: "EC", crv: "P-256", d: privateKey, x, y };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const signature = sign("sha256", Buffer.from(signingInput), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signingInput}.${toBase64url(signature)}, k=${publicKey}`;
}
