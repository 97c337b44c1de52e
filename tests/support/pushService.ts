/**
 * A push service and a device on this machine. It receives messages as a browser vendor does, and decrypts them as a
 * browser does.
 */
import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { decrypt } from "http_ece";

interface PushMessage {
  readonly notification: any;
  readonly headers: Record<string, string>;
  /** The claims that the sender signed with its own key. */
  readonly claims: any;
  readonly publicKey: string;
}

export function startPushService() {
  const device = createECDH("prime256v1");
  const p256dh = device.generateKeys("base64url");
  const auth = randomBytes(16).toString("base64url");
  const received: PushMessage[] = [];
  let status: number | undefined;
  let onReceived: (() => void) | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = Buffer.from(await request.arrayBuffer());
      if (status !== undefined) return new Response("no", { status });
      const headers = Object.fromEntries(request.headers.entries());
      const text = decrypt(body, { version: "aes128gcm", privateKey: device, authSecret: auth });
      const notification = JSON.parse(text.toString("utf8"));
      received.push({ notification, headers, ...verifySignature(headers["authorization"]!) });
      onReceived?.();
      return new Response(null, { status: 201 });
    },
  });
  return {
    /** Like a browser's `PushSubscription.toJSON()`. */
    subscription: {
      endpoint: `http://127.0.0.1:${server.port}/push/${randomBytes(8).toString("hex")}`,
      keys: { p256dh, auth },
    },
    /** Decrypted messages, oldest first. */
    received,
    /** Responds with this status from now on. If it is undefined, responds with 201. */
    respondWith: (code: number | undefined) => void (status = code),
    /** `work` is called when a message has arrived, before it is acknowledged. */
    whenReceived: (work: (() => void) | undefined) => void (onReceived = work),
    stop: () => server.stop(true),
  };
}

/** Fails unless the header is signed by the key that it contains (RFC 8292). */
function verifySignature(authorization: string): Pick<PushMessage, "claims" | "publicKey"> {
  const { jwt, publicKey } = /^vapid t=(?<jwt>[^,]+), k=(?<publicKey>.+)$/.exec(authorization)!
    .groups as { jwt: string; publicKey: string };
  const [head, claims, signature] = jwt.split(".") as [string, string, string];
  const point = Buffer.from(publicKey, "base64url");
  const key = createPublicKey({
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
    format: "jwk",
  });
  const signed = { key, dsaEncoding: "ieee-p1363" } as const;
  const isGood = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    signed,
    Buffer.from(signature, "base64url"),
  );
  if (!isGood) throw new Error("The signature is of another key.");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()), publicKey };
}
