/** The signed token in the session cookie: it names a session, and is worth nothing without it. */
import type { Clock } from "../http/clock.ts";

const ISSUER = "limelight";
const AUDIENCE = "limelight-dashboard";

/** What a token says. */
export interface TokenClaims {
  readonly sessionId: string;
  readonly userId: string;
}

/** Signs and reads the tokens of one site. */
export interface SessionTokens {
  /** `expiresAt` in milliseconds since 1970. */
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** Undefined for every token that is not ours, not HS256, incomplete or over (security.md). */
  read(token: string): Promise<TokenClaims | undefined>;
}

/** Tokens under the site's secret of 256 bits. */
export function sessionTokens(secret: Uint8Array, clock: Clock): SessionTokens {
  let plugin: ReturnType<typeof load> | undefined;
  const signer = () => (plugin ??= load(secret));
  return {
    async sign({ sessionId, userId }, expiresAt) {
      const { tokens } = await signer();
      return tokens.sign({ jti: sessionId, sub: userId, exp: Math.floor(expiresAt / 1000) });
    },
    async read(token) {
      const { tokens } = await signer();
      const claims = await tokens.verify(token, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iss", "aud", "jti", "sub"],
        currentDate: new Date(clock()),
      });
      if (!claims || !claims.jti || !claims.sub) return undefined;
      return { sessionId: claims.jti, userId: claims.sub };
    },
  };
}

/** Loaded with the first login, not with the program: no visitor's first page waits for it. */
async function load(secret: Uint8Array) {
  const { jwt } = await import("@elysiajs/jwt");
  return jwt({ name: "tokens", secret, alg: "HS256", iss: ISSUER, aud: AUDIENCE }).decorator;
}
