/**
 * A line to a mail server, kept open while there is more to hand in: most of a message's time goes into getting
 * there. One message at a time; one whose line breaks is not handed in again here, but told as a failure.
 */
import { Socket } from "node:net";
import pLimit from "p-limit";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";

/** One message, and whom the server is told it is for. */
interface Handed {
  readonly from: string;
  readonly to: string;
  readonly mime: Buffer;
}

interface SmtpLine {
  /** Resolves once the server has taken it. Rejects with the library's error. */
  hand(message: Handed): Promise<void>;
  /** Ends the line after the message under way. */
  close(): void;
}

interface LineOptions {
  readonly connection: SMTPConnectionOptions;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  /** Within how long the server's machine has to be reached, in milliseconds. */
  readonly reach: number;
  /** For how long one message may take, getting there included, in milliseconds. */
  readonly patience: number;
  /** Cuts off the message under way, and refuses all others. */
  readonly ended: AbortSignal;
}

/** When a piece of work is waited for no longer. */
interface Bounds {
  readonly ended: AbortSignal;
  /** Of `performance.now()`. */
  readonly deadline: number;
}

/** Servers end a silent line after some minutes (RFC 5321, 4.5.3.2.7: five). */
const IDLE = 5000;
/** Some servers take no more over one line. */
const MOST_OVER_ONE = 100;

/** Nothing is loaded, and nobody called, before the first message. */
export function smtpLine(options: LineOptions): SmtpLine {
  let line: SMTPConnection | undefined;
  let handed = 0;
  const inTurn = pLimit(1);
  let idle: ReturnType<typeof setTimeout> | undefined;

  async function handNow(message: Handed): Promise<void> {
    clearTimeout(idle);
    const bounds = boundsNow();
    const kept = line?.destroyed === false ? line : undefined;
    try {
      await handOver(message, bounds).catch((error: SmtpError) => {
        if (!kept || !isOver(kept, error)) throw error;
        return handOver(message, bounds);
      });
    } finally {
      if (handed >= MOST_OVER_ONE) hangUp();
      idle = setTimeout(hangUp, IDLE);
      idle.unref();
    }
  }

  async function handOver({ from, to, mime }: Handed, bounds: Bounds): Promise<void> {
    if (!line || line.destroyed) {
      line = await connected(options, bounds);
      handed = 0;
    }
    const open = line;
    handed++;
    try {
      await finished(open, bounds, (done) => open.send({ from, to: [to] }, mime, done));
    } catch (error) {
      await afterRefusal(open, error as SmtpError);
      throw error;
    }
  }

  /** Where it was about the message alone, the line is good for the next one. */
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
    hand: (message) => inTurn(() => handNow(message)),
    close: () => void inTurn(async () => end()),
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  /** What it was said to. */
  readonly command?: string;
}

/** RFC 5321, 3.8: the server ends the line after this. */
const LEAVING = 421;

/** What a server says when it asks for the message itself (RFC 5321, 4.1.1.4). */
const ASKS = /^354/;

/**
 * Whether a kept line turns out to have ended before the message was asked for: a server may end one whenever it
 * likes, and that is known only at the next message, which then goes over another line.
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
  // Whoever waits for it is told as well; without a listener an error would end the process.
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
 * Rejects when nobody is there: one who is may be slow to greet, and the library knows one limit for both. It
 * never resolves.
 */
function unlessReached(socket: Socket, within: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("not reached")), within);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
  return promise;
}

/**
 * Resolves when `work` calls back; rejects with its error, or that of the line, whichever comes first. A server that
 * says something now and then, but never to its end, is waited for until the deadline.
 */
function finished(
  line: SMTPConnection,
  { ended, deadline }: Bounds,
  work: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = () => reject(new Error("line closed"));
  const cut = () => {
    reject(new Error("waited for no longer"));
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
