/**
 * An SMTP connection, kept open for further messages: most of a message's time goes into connecting. One message at a
 * time; if the connection breaks during one, that message fails and isn't retried here.
 */
import { Socket } from "node:net";
import pLimit from "p-limit";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";

/** A message with its SMTP envelope. */
interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly mime: Buffer;
}

interface SmtpLine {
  /** Resolves once the server has accepted it. Rejects with the library's error. */
  send(message: SmtpMessage): Promise<void>;
  /** Closes it after the current message. */
  close(): void;
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

/** When to give up on an operation. */
interface Bounds {
  readonly ended: AbortSignal;
  /** As `performance.now()`. */
  readonly deadline: number;
}

/** Servers close an idle connection after some minutes (RFC 5321, 4.5.3.2.7: five). */
const IDLE = 5000;
/** Some servers accept no more over one connection. */
const MOST_OVER_ONE = 100;

/** Neither loads nor connects before the first message. */
export function smtpLine(options: LineOptions): SmtpLine {
  let line: SMTPConnection | undefined;
  let sent = 0;
  const inTurn = pLimit(1);
  let idle: ReturnType<typeof setTimeout> | undefined;

  async function sendNow(message: SmtpMessage): Promise<void> {
    clearTimeout(idle);
    const bounds = boundsNow();
    const kept = line?.destroyed === false ? line : undefined;
    try {
      await deliver(message, bounds).catch((error: SmtpError) => {
        if (!kept || !isOver(kept, error)) throw error;
        return deliver(message, bounds);
      });
    } finally {
      if (sent >= MOST_OVER_ONE) hangUp();
      idle = setTimeout(hangUp, IDLE);
      idle.unref();
    }
  }

  async function deliver({ from, to, mime }: SmtpMessage, bounds: Bounds): Promise<void> {
    if (!line || line.destroyed) {
      line = await connected(options, bounds);
      sent = 0;
    }
    const open = line;
    sent++;
    try {
      await finished(open, bounds, (done) => open.send({ from, to: [to] }, mime, done));
    } catch (error) {
      await afterRefusal(open, error as SmtpError);
      throw error;
    }
  }

  /** If only the message was at fault, the connection is reused for the next one. */
  async function afterRefusal(open: SMTPConnection, error: SmtpError): Promise<void> {
    const isAboutMessage = error.code === "EENVELOPE" || error.code === "EMESSAGE";
    if (!isAboutMessage || error.responseCode === LEAVING || open.destroyed) return open.close();
    await finished(open, boundsNow(), (done) => open.reset(done)).catch(() => open.close());
  }

  const boundsNow = (): Bounds => ({
    ended: options.ended,
    deadline: performance.now() + options.patience,
  });

  function hangUp(): void {
    line?.quit();
    line = undefined;
  }

  function end(): void {
    clearTimeout(idle);
    line?.close();
    line = undefined;
  }

  return {
    send: (message) => inTurn(() => sendNow(message)),
    close: () => void inTurn(async () => end()),
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  /** The command that failed. */
  readonly command?: string;
}

/** RFC 5321, 3.8: the server closes after this. */
const LEAVING = 421;

/** The server's response when it is ready for the message itself (RFC 5321, 4.1.1.4). */
const ASKS = /^354/;

/**
 * Whether a kept connection had closed before the server asked for the message. Servers may close one at any time,
 * which only shows with the next message; that one then uses a new connection.
 */
function isOver({ lastServerResponse }: SMTPConnection, error: SmtpError): boolean {
  if (error.responseCode !== undefined)
    return error.responseCode === LEAVING && error.command !== "DATA";
  return !ASKS.test(String(lastServerResponse));
}

async function connected(
  { connection, login, reach }: LineOptions,
  bounds: Bounds,
): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  const socket = new Socket();
  const line = new Connection({ ...connection, socket });
  // Callers get the error too; without a listener it would end the process.
  line.on("error", () => {});
  try {
    const greeted = finished(line, bounds, (done) => line.connect(done));
    await Promise.race([greeted, unlessReached(socket, reach)]);
    if (login && line.allowsAuth) await finished(line, bounds, (done) => line.login(login, done));
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
function finished(
  line: SMTPConnection,
  { ended, deadline }: Bounds,
  work: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = () => reject(new Error("connection closed"));
  const cut = () => {
    reject(new Error("timed out"));
    line.close();
  };
  const timer = setTimeout(cut, deadline - performance.now());
  ended.addEventListener("abort", cut);
  line.once("error", reject);
  line.once("end", closed);
  if (ended.aborted) cut();
  else work((error) => (error ? reject(error) : resolve()));
  return promise.finally(() => {
    clearTimeout(timer);
    ended.removeEventListener("abort", cut);
    line.off("error", reject);
    line.off("end", closed);
  });
}
