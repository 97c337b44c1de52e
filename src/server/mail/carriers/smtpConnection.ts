/**
 * An SMTP connection, reused for further messages: connecting takes most of a message's time. One message at a time;
 * if the connection breaks during one, that message fails and isn't retried here.
 */
import { Socket } from "node:net";
import pLimit from "p-limit";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";

interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly mime: Buffer;
}

interface SmtpConnectionOptions {
  readonly connection: SMTPConnectionOptions;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  /** The timeout to connect, in milliseconds. */
  readonly reach: number;
  /** The timeout for one message, connecting included, in milliseconds. */
  readonly patience: number;
  /** Aborts the message under way, and refuses all others. */
  readonly ended: AbortSignal;
}

/** The deadline of an operation. */
interface OperationBounds {
  readonly ended: AbortSignal;
  /** As `performance.now()`. */
  readonly deadline: number;
}

/** Servers close an idle connection after some minutes (RFC 5321, 4.5.3.2.7: five). */
const IDLE_TIMEOUT_MS = 5000;
/** Some servers accept only this many over one connection. */
const MAX_MESSAGES_PER_CONNECTION = 100;

/** Neither loads nor connects before the first message. */
export class SmtpConnection {
  readonly #options: SmtpConnectionOptions;
  readonly #limitConcurrency = pLimit(1);
  #connection: SMTPConnection | undefined;
  #sentCount = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SmtpConnectionOptions) {
    this.#options = options;
  }

  /** Resolves once the server has accepted it. Rejects with the library's error. */
  send(message: SmtpMessage): Promise<void> {
    return this.#limitConcurrency(() => this.#sendMessage(message));
  }

  /** Closes it after the current message. */
  close(): void {
    void this.#limitConcurrency(async () => this.#endConnection());
  }

  async #sendMessage(message: SmtpMessage): Promise<void> {
    clearTimeout(this.#idleTimer);
    const bounds = this.#createDeadline();
    const connection = this.#connection?.destroyed === false ? this.#connection : undefined;
    try {
      await this.#deliver(message, bounds).catch((error: SmtpError) => {
        if (!connection || !isConnectionClosed(connection, error)) throw error;
        return this.#deliver(message, bounds);
      });
    } finally {
      if (this.#sentCount >= MAX_MESSAGES_PER_CONNECTION) this.#closeConnection();
      this.#idleTimer = setTimeout(() => this.#closeConnection(), IDLE_TIMEOUT_MS);
      this.#idleTimer.unref();
    }
  }

  async #deliver({ from, to, mime }: SmtpMessage, bounds: OperationBounds): Promise<void> {
    if (!this.#connection || this.#connection.destroyed) {
      this.#connection = await openConnection(this.#options, bounds);
      this.#sentCount = 0;
    }
    const open = this.#connection;
    this.#sentCount++;
    try {
      await waitForCallback(open, bounds, (done) => open.send({ from, to: [to] }, mime, done));
    } catch (error) {
      await this.#resetAfterRefusal(open, error as SmtpError);
      throw error;
    }
  }

  /** If only the message was at fault, the connection is reused for the next one. */
  async #resetAfterRefusal(open: SMTPConnection, error: SmtpError): Promise<void> {
    const isAboutMessage = error.code === "EENVELOPE" || error.code === "EMESSAGE";
    if (!isAboutMessage || error.responseCode === CLOSING_RESPONSE_CODE || open.destroyed)
      return open.close();
    await waitForCallback(open, this.#createDeadline(), (done) => open.reset(done)).catch(() =>
      open.close(),
    );
  }

  readonly #createDeadline = (): OperationBounds => ({
    ended: this.#options.ended,
    deadline: performance.now() + this.#options.patience,
  });

  #closeConnection(): void {
    this.#connection?.quit();
    this.#connection = undefined;
  }

  #endConnection(): void {
    clearTimeout(this.#idleTimer);
    this.#connection?.close();
    this.#connection = undefined;
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/** RFC 5321, 3.8: the server closes after this. */
const CLOSING_RESPONSE_CODE = 421;

/** The server's response when it is ready for the message itself (RFC 5321, 4.1.1.4). */
const DATA_RESPONSE_PATTERN = /^354/;

/**
 * Whether a reused connection had closed before the server asked for the message. Servers may close one at any
 * time, which is noticed only with the next message; that one then uses a new connection.
 */
function isConnectionClosed({ lastServerResponse }: SMTPConnection, error: SmtpError): boolean {
  if (error.responseCode !== undefined)
    return error.responseCode === CLOSING_RESPONSE_CODE && error.command !== "DATA";
  return !DATA_RESPONSE_PATTERN.test(String(lastServerResponse));
}

async function openConnection(
  { connection, login, reach }: SmtpConnectionOptions,
  bounds: OperationBounds,
): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const line = new Connection({ ...connection, socket });
  // Callers get the error too; without a listener it would end the process.
  line.on("error", () => {});
  try {
    const greeted = waitForCallback(line, bounds, (done) => line.connect(done));
    await Promise.race([greeted, rejectUnlessConnected(socket, reach)]);
    if (login && line.allowsAuth)
      await waitForCallback(line, bounds, (done) => line.login(login, done));
    return line;
  } catch (error) {
    line.close();
    throw error;
  }
}

/**
 * Rejects if the server isn't reached: a reachable one may greet slowly, and the library has one timeout for both.
 * Never resolves.
 */
function rejectUnlessConnected(socket: Socket, within: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("connection timed out")), within);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
  return promise;
}

/**
 * Resolves when `work` calls back; rejects with its error or the connection's, whichever comes first, or at the
 * deadline, even if the server keeps sending something.
 */
function waitForCallback(
  line: SMTPConnection,
  { ended, deadline }: OperationBounds,
  work: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(new Error("connection closed"));
  const onTimeout = () => {
    reject(new Error("timed out"));
    line.close();
  };
  const timer = setTimeout(onTimeout, deadline - performance.now());
  ended.addEventListener("abort", onTimeout);
  line.once("error", reject);
  line.once("end", onClose);
  if (ended.aborted) onTimeout();
  else work((error) => (error ? reject(error) : resolve()));
  return promise.finally(() => {
    clearTimeout(timer);
    ended.removeEventListener("abort", onTimeout);
    line.off("error", reject);
    line.off("end", onClose);
  });
}
