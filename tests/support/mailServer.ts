/** A real mail server on a free port, which keeps what it was handed and can be made to refuse. */
import { readFileSync } from "node:fs";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** The authority that vouches for its certificate, in PEM. */
export const CERTIFICATE = readFileSync("tests/fixtures/mail/server.crt", "utf8");
const KEY = readFileSync("tests/fixtures/mail/server.key", "utf8");

export const MAIL_LOGIN = { user: "vera@example.com", pass: "app word 1" };

export interface MailServer {
  readonly port: number;
  /** Taken, oldest first, as a mail program would read them. */
  readonly taken: Email[];
  /** From now on recipients are refused with this status, such as 550; undefined: taken. */
  refuse(status: number | undefined): void;
  stop(): Promise<void>;
}

export interface MailServerOptions {
  /** TLS from the first byte. Default: STARTTLS. */
  readonly secure?: boolean;
  /** Default true: it asks for `MAIL_LOGIN`. */
  readonly login?: boolean;
  /** Offers no encryption at all. */
  readonly plain?: boolean;
  readonly port?: number;
  /** Called when a message is whole, before the server says that it has taken it. */
  readonly onTaken?: () => void;
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { secure = false, login = true, plain = false, port = 0, onTaken } = options;
  const taken: Email[] = [];
  let refusal: number | undefined;
  const settings: SMTPServerOptions = {
    secure,
    key: KEY,
    cert: CERTIFICATE,
    authOptional: !login,
    disabledCommands: [
      ...(plain ? ["STARTTLS" as const] : []),
      ...(login ? [] : ["AUTH" as const]),
    ],
    closeTimeout: 100,
    // Who connects is this machine; asking for its name would only take time.
    disableReverseLookup: true,
    onAuth({ username, password }, _, callback) {
      if (username === MAIL_LOGIN.user && password === MAIL_LOGIN.pass)
        return callback(null, { user: username });
      callback(new Error("5.7.8 Username and Password not accepted"));
    },
    onRcptTo(_, __, callback) {
      if (refusal === undefined) return callback();
      callback(Object.assign(new Error(`${refusal} no such user`), { responseCode: refusal }));
    },
    onData(stream, _, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        taken.push(await PostalMime.parse(Buffer.concat(chunks)));
        onTaken?.();
        callback();
      });
    },
  };
  const server = new SMTPServer(settings);
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.server.address() as { port: number };
  return {
    port: address.port,
    taken,
    refuse: (status) => (refusal = status),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
