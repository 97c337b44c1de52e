/** Orders a certificate by ACME (RFC 8555), proving with HTTP-01 that the names lead here. */
import type { Client } from "acme-client";

export interface OrderOptions {
  /** The address of the authority's directory. */
  readonly directory: string;
  /** PEM; the same one each time, so that the authority knows who asks. */
  readonly accountKey: string;
  readonly email: string | undefined;
  readonly domains: readonly string[];
  /** What port 80 answers below /.well-known/acme-challenge/ while the order is under way. */
  readonly answers: {
    set(token: string, answer: string): Promise<void>;
    delete(token: string): Promise<void>;
  };
}

/** A certificate and what it takes to serve it, as PEM. */
export interface Certificate {
  readonly key: string;
  /** With the certificates between it and the authority's. */
  readonly chain: string;
}

/** A new key for an account, as PEM. */
export async function newAccountKey(): Promise<string> {
  const { crypto } = await import("acme-client");
  return (await crypto.createPrivateEcdsaKey("P-256")).toString();
}

/** Throws the authority's own words. */
export async function orderCertificate(options: OrderOptions): Promise<Certificate> {
  const { directory, accountKey, email, domains, answers } = options;
  // 4 MB that only who serves HTTPS itself needs, and only now and then.
  const acme = await import("acme-client");
  // The authority names every address that it is asked at; none of them leads elsewhere (ASVS 5.0, 15.3.2).
  acme.axios.defaults.maxRedirects = 0;
  const client: Client = new acme.Client({
    directoryUrl: directory,
    accountKey,
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5000,
  });
  // Of an account that is there it would send a change without anything changed, which not every authority takes.
  if (!email) await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined);
  const key = await acme.crypto.createPrivateEcdsaKey("P-256");
  const [, csr] = await acme.crypto.createCsr({ altNames: [...domains] }, key);
  const chain = await client.auto({
    csr,
    ...(email && { email }),
    termsOfServiceAgreed: true,
    challengePriority: ["http-01"],
    // It would ask from here, which a router may not allow; the authority's answer is what counts.
    skipChallengeVerification: true,
    challengeCreateFn: (_, challenge, answer) => answers.set(challenge.token, answer),
    challengeRemoveFn: (_, challenge) => answers.delete(challenge.token),
  });
  return { key: key.toString(), chain };
}
