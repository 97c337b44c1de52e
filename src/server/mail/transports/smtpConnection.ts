/**
 * An SMTP connection, reused for further messages, since connecting takes most of the time. It sends one message at a
 * time. If the connection breaks after the server asked for the message's content, sending fails without a retry.
 */
import { Socket } from "node:net";
import pLimit from "p-limit";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";
import type { SmtpError } from "./deliveryError.ts";

interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly mime: Buffer;
}

interface SmtpConnectionOptions {
  readonly connectionOptions: SMTPConnectionOptions;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly connectTimeoutMs: number;
  /** The maximum time for one message, including connecting. */
  readonly messageTimeoutMs: number;
  /** Aborts the message that is being sent, and refuses all others. */
  readonly signal: AbortSignal;
}

/** The time until an idle connection is closed, long before a server closes it (RFC 5321, 4.5.3.2.7: five minutes). */
const IDLE_TIMEOUT_MS = 5000;
/** The maximum number of messages per connection: some servers accept no more. */
const MAX_MESSAGES_PER_CONNECTION = 100;

/** Connects when the first message is sent. The library is loaded only then. */
export class SmtpConnection {
  readonly #options: SmtpConnectionOptions;
  readonly #limitConcurrency = pLimit(1);
  #connection: SMTPConnection | undefined;
  #sentCount = 0;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SmtpConnectionOptions) {
    this.#options = options;
  }

  /** Resolves once the server has accepted the message. Rejects with the library's error. */
  send(message: SmtpMessage): Promise<void> {
    return this.#limitConcurrency(() => this.#sendMessage(message));
  }

  /** Closes the connection after the message that is being sent. */
  close(): void {
    void this.#limitConcurrency(async () => {
      clearTimeout(this.#idleTimer);
      this.#connection?.close();
      this.#connection = undefined;
    });
  }

  async #sendMessage(message: SmtpMessage): Promise<void> {
    clearTimeout(this.#idleTimer);
    const signal = this.#createSignal();
    const connection = this.#connection?.destroyed === false ? this.#connection : undefined;
    try {
      await this.#deliver(message, signal).catch((error: SmtpError) => {
        if (!connection || !isConnectionClosed(connection, error)) throw error;
        return this.#deliver(message, signal);
      });
    } finally {
      if (this.#sentCount >= MAX_MESSAGES_PER_CONNECTION) this.#closeConnection();
      this.#idleTimer = setTimeout(() => this.#closeConnection(), IDLE_TIMEOUT_MS);
      this.#idleTimer.unref();
    }
  }

  async #deliver({ from, to, mime }: SmtpMessage, signal: AbortSignal): Promise<void> {
    if (!this.#connection || this.#connection.destroyed) {
      this.#connection = await openConnection(this.#options, signal);
      this.#sentCount = 0;
    }
    const connection = this.#connection;
    this.#sentCount++;
    try {
      const envelope = { from, to: [to] };
      await waitForCallback(connection, signal, (done) => connection.send(envelope, mime, done));
    } catch (error) {
      await this.#resetAfterRefusal(connection, error as SmtpError);
      throw error;
    }
  }

  /** Resets the connection for the next message if only this message was refused; otherwise closes the connection. */
  async #resetAfterRefusal(connection: SMTPConnection, error: SmtpError): Promise<void> {
    const isAboutMessage = error.code === "EENVELOPE" || error.code === "EMESSAGE";
    if (!isAboutMessage || error.responseCode === CLOSING_RESPONSE_CODE || connection.destroyed)
      return connection.close();
    const signal = this.#createSignal();
    const reset = waitForCallback(connection, signal, (done) => connection.reset(done));
    await reset.catch(() => connection.close());
  }

  readonly #createSignal = (): AbortSignal =>
    AbortSignal.any([this.#options.signal, AbortSignal.timeout(this.#options.messageTimeoutMs)]);

  #closeConnection(): void {
    this.#connection?.quit();
    this.#connection = undefined;
  }
}

/** The code of the response after which a server closes the connection (RFC 5321, 3.8). */
const CLOSING_RESPONSE_CODE = 421;

/** Matches the server's response that asks for the message's content (RFC 5321, 4.1.1.4). */
const DATA_RESPONSE_PATTERN = /^354/;

/**
 * Whether a reused connection was closed before the server asked for the message's content. Servers may do this at any
 * time. The message is then sent over a new connection.
 */
function isConnectionClosed({ lastServerResponse }: SMTPConnection, error: SmtpError): boolean {
  if (error.responseCode !== undefined)
    return error.responseCode === CLOSING_RESPONSE_CODE && error.command !== "DATA";
  return !DATA_RESPONSE_PATTERN.test(String(lastServerResponse));
}

async function openConnection(
  { connectionOptions, login, connectTimeoutMs }: SmtpConnectionOptions,
  signal: AbortSignal,
): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const connection = new Connection({ ...connectionOptions, socket });
  // Without a listener, an error would end the process. Callers get the error from `waitForCallback`.
  connection.on("error", () => {});
  try {
    const greeting = waitForCallback(connection, signal, (done) => connection.connect(done));
    await Promise.race([greeting, rejectUnlessConnected(socket, connectTimeoutMs)]);
    if (login && connection.allowsAuth)
      await waitForCallback(connection, signal, (done) => connection.login(login, done));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Rejects if the socket isn't connected in time; never resolves. The library has one timeout for connecting and the
 * greeting together, but the greeting may take longer.
 */
function rejectUnlessConnected(socket: Socket, timeoutMs: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("connection timed out")), timeoutMs);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
  return promise;
}

/** Resolves when `start` calls back. Rejects with its error or the connection's, or when `signal` is aborted. */
function waitForCallback(
  connection: SMTPConnection,
  signal: AbortSignal,
  start: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(new Error("connection closed"));
  const onAbort = () => {
    reject(new Error("timed out"));
    connection.close();
  };
  signal.addEventListener("abort", onAbort);
  connection.once("error", reject);
  connection.once("end", onClose);
  if (signal.aborted) onAbort();
  else start((error) => (error ? reject(error) : resolve()));
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    connection.off("error", reject);
    connection.off("end", onClose);
  });
}
