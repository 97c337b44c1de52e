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

interface LineOptions {
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
interface Bounds {
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
  readonly #options: LineOptions;
  readonly #inTurn = pLimit(1);
  #line: SMTPConnection | undefined;
  #sent = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Resolves once the server has accepted it. Rejects with the library's error. */
  send(message: SmtpMessage): Promise<void> {
    return this.#inTurn(() => this.#sendNow(message));
  }

  /** Closes it after the current message. */
  close(): void {
    void this.#inTurn(async () => this.#end());
  }

  async #sendNow(message: SmtpMessage): Promise<void> {
    clearTimeout(this.#idle);
    const bounds = this.#boundsNow();
    const connection = this.#line?.destroyed === false ? this.#line : undefined;
    try {
      await this.#deliver(message, bounds).catch((error: SmtpError) => {
        if (!connection || !isOver(connection, error)) throw error;
        return this.#deliver(message, bounds);
      });
    } finally {
      if (this.#sent >= MAX_MESSAGES_PER_CONNECTION) this.#hangUp();
      this.#idle = setTimeout(() => this.#hangUp(), IDLE_TIMEOUT_MS);
      this.#idle.unref();
    }
  }

  async #deliver({ from, to, mime }: SmtpMessage, bounds: Bounds): Promise<void> {
    if (!this.#line || this.#line.destroyed) {
      this.#line = await openConnection(this.#options, bounds);
      this.#sent = 0;
    }
    const open = this.#line;
    this.#sent++;
    try {
      await whenAnswered(open, bounds, (done) => open.send({ from, to: [to] }, mime, done));
    } catch (error) {
      await this.#afterRefusal(open, error as SmtpError);
      throw error;
    }
  }

  /** If only the message was at fault, the connection is reused for the next one. */
  async #afterRefusal(open: SMTPConnection, error: SmtpError): Promise<void> {
    const isAboutMessage = error.code === "EENVELOPE" || error.code === "EMESSAGE";
    if (!isAboutMessage || error.responseCode === LEAVING || open.destroyed) return open.close();
    await whenAnswered(open, this.#boundsNow(), (done) => open.reset(done)).catch(() =>
      open.close(),
    );
  }

  readonly #boundsNow = (): Bounds => ({
    ended: this.#options.ended,
    deadline: performance.now() + this.#options.patience,
  });

  #hangUp(): void {
    this.#line?.quit();
    this.#line = undefined;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#line?.close();
    this.#line = undefined;
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/** RFC 5321, 3.8: the server closes after this. */
const LEAVING = 421;

/** The server's response when it is ready for the message itself (RFC 5321, 4.1.1.4). */
const EXPECTS_DATA = /^354/;

/**
 * Whether a reused connection had closed before the server asked for the message. Servers may close one at any
 * time, which is noticed only with the next message; that one then uses a new connection.
 */
function isOver({ lastServerResponse }: SMTPConnection, error: SmtpError): boolean {
  if (error.responseCode !== undefined)
    return error.responseCode === LEAVING && error.command !== "DATA";
  return !EXPECTS_DATA.test(String(lastServerResponse));
}

async function openConnection(
  { connection, login, reach }: LineOptions,
  bounds: Bounds,
): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const line = new Connection({ ...connection, socket });
  // Callers get the error too; without a listener it would end the process.
  line.on("error", () => {});
  try {
    const greeted = whenAnswered(line, bounds, (done) => line.connect(done));
    await Promise.race([greeted, unlessReached(socket, reach)]);
    if (login && line.allowsAuth)
      await whenAnswered(line, bounds, (done) => line.login(login, done));
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
function unlessReached(socket: Socket, within: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("connection timed out")), within);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
  return promise;
}

/**
 * Resolves when `work` calls back; rejects with its error or the connection's, whichever comes first, or at the
 * deadline, even if the server keeps sending something.
 */
function whenAnswered(
  line: SMTPConnection,
  { ended, deadline }: Bounds,
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
