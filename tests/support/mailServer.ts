/** A real mail server on a free port, which stores its messages and can be made to refuse. */
import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { freePort } from "./ports.ts";
import { eventually } from "./waits.ts";

/** The authority of its certificate, as PEM. */
export const CERTIFICATE = readFileSync("tests/fixtures/mail/server.crt", "utf8");
const KEY = readFileSync("tests/fixtures/mail/server.key", "utf8");

export const MAIL_LOGIN = { user: "vera@example.com", pass: "app word 1" };

export interface MailServer {
  readonly port: number;
  /** Accepted messages, oldest first, parsed like a mail program. */
  readonly received: Email[];
  /** The first message with this subject, once it is there. */
  arrived(subject: string | RegExp): Promise<Email>;
  /** Refuses recipients with this status, such as 550; undefined accepts them. */
  refuse(status: number | undefined): void;
  /** Answers each recipient with this text, which begins with a status; undefined accepts it. */
  answer(words: (to: string) => string | undefined): void;
  /** Called when a message is complete; the server acknowledges it afterwards. */
  whenReceived(work: (() => unknown) | undefined): void;
  /** Breaks after the message was sent, without accepting it. */
  spoil(fault: Spoiled | undefined): void;
  stop(): Promise<void>;
}

/**
 * Silent forever; the connection cut during the message; accepted, but cut during the acknowledgement (only without
 * TLS); or refused with this text, which begins with a status.
 */
export type Spoiled = "silent" | "cut" | "cut answer" | `${4 | 5}${number} ${string}`;

export interface MailServerOptions {
  /** TLS from the first byte. Default: STARTTLS. */
  readonly secure?: boolean;
  /** Default true: it asks for `MAIL_LOGIN`. */
  readonly login?: boolean;
  /** Offers no encryption. */
  readonly plain?: boolean;
  /** Default: a free one, which nobody else takes while the server is away. */
  readonly port?: number;
  /** Like `whenReceived`, from the start. */
  readonly onReceived?: () => unknown;
  /** The first attempt of each sender and recipient is deferred (RFC 6647). */
  readonly isGreylisting?: boolean;
  /** Accepts one message per connection, and ends it at the next, with a text or without. */
  readonly oneEach?: "421 4.7.0 Too many messages on this line" | "cut";
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { secure = false, login = true, plain = false, isGreylisting, oneEach } = options;
  const { port = freePort() } = options;
  let { onReceived } = options;
  let spoiled: Spoiled | undefined;
  const seen = new Set<string>();
  /** Connections over which a message came. */
  const used = new Set<string>();
  const taken: Email[] = [];
  let answer: (to: string) => string | undefined = () => undefined;
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
    // Every client is this machine, so looking up its name would only take time.
    disableReverseLookup: true,
    onAuth({ username, password }, _, callback) {
      if (username === MAIL_LOGIN.user && password === MAIL_LOGIN.pass)
        return callback(null, { user: username });
      callback(new Error("5.7.8 Username and Password not accepted"));
    },
    onMailFrom(_, { id }, callback) {
      if (oneEach === undefined || !used.has(id)) return callback();
      if (oneEach === "cut") return lines.forEach((line) => void line.destroy());
      callback(refusalOf(oneEach));
    },
    onRcptTo({ address: to }, { envelope }, callback) {
      const pair = `${envelope.mailFrom && envelope.mailFrom.address} ${to}`;
      if (isGreylisting && !seen.has(pair)) {
        seen.add(pair);
        return callback(refusalOf("450 4.7.1 Greylisted, come again in a few minutes"));
      }
      const words = answer(to);
      callback(words === undefined ? null : refusalOf(words));
    },
    onData(stream, { id }, callback) {
      used.add(id);
      if (spoiled === "cut") return lines.forEach((line) => void line.destroy());
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        if (spoiled === "silent") return void onReceived?.();
        if (spoiled !== undefined && spoiled !== "cut answer") return callback(refusalOf(spoiled));
        taken.push(await PostalMime.parse(Buffer.concat(chunks)));
        await onReceived?.();
        if (spoiled === "cut answer") return lines.forEach((line) => void line.end("250-It is ta"));
        callback();
      });
    },
  };
  const server = new SMTPServer(settings);
  const lines = new Set<Socket>();
  server.server.on("connection", (line: Socket) => lines.add(line));
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const findMessage = (subject: string | RegExp) =>
    taken.find((each) => each.subject!.replace(subject, "") === "");
  return {
    port,
    received: taken,
    async arrived(subject) {
      await eventually(() => findMessage(subject) !== undefined, true);
      return findMessage(subject)!;
    },
    refuse: (status) =>
      (answer = () => (status === undefined ? undefined : `${status} no such user`)),
    answer: (words) => (answer = words),
    whenReceived: (work) => (onReceived = work),
    spoil: (fault) => (spoiled = fault),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** How slowly the server responds. */
export interface Slowness {
  /** The delay of each response, in milliseconds. */
  readonly delay: number;
  /** After the first response: byte by byte, with the delay between them, without an end. */
  readonly isTrickling?: boolean;
  /** Where it listens. Default: a free port. */
  readonly port?: number;
  /** The first response comes after this. Default: at once. */
  readonly after?: Promise<void>;
}

/** A connection to the server at `target` with slow responses. */
export async function slowLineTo(
  target: number,
  { delay, isTrickling = false, port = 0, after = Promise.resolve() }: Slowness,
): Promise<{ readonly port: number; stop(): void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const far = connect(target, "127.0.0.1");
    for (const line of [client, far]) {
      open.add(line);
      line.on("error", () => {});
      line.on("close", () => [client, far].forEach((each) => void each.destroy()));
    }
    client.pipe(far);
    if (!isTrickling)
      far.on("data", (words) => after.then(() => setTimeout(() => client.write(words), delay)));
    else
      far.once("data", (words) => {
        client.write(words);
        const timer = setInterval(() => client.write("2"), delay);
        client.on("close", () => clearInterval(timer));
      });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const line of open) line.destroy();
    },
  };
}

/** A port that nobody can reach: its queue of connections is full, and nothing accepts them. */
export async function fullBacklog(): Promise<{ readonly port: number; stop(): void }> {
  const { symbols: system } = dlopen("libc.so.6", {
    socket: { args: ["int", "int", "int"], returns: "int" },
    listen: { args: ["int", "int"], returns: "int" },
    getsockname: { args: ["int", "ptr", "ptr"], returns: "int" },
    close: { args: ["int"], returns: "int" },
  });
  // AF_INET, SOCK_STREAM; without an address the listener gets a free port.
  const listener = system.socket(2, 1, 0);
  system.listen(listener, 0);
  const address = new Uint8Array(16);
  system.getsockname(listener, address, new Int32Array([address.length]));
  const port = new DataView(address.buffer).getUint16(2);
  const waiting = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  await Promise.race(
    waiting.map((each) => new Promise((resolve) => each.once("connect", resolve))),
  );
  return {
    port,
    stop() {
      for (const each of waiting) each.destroy();
      system.close(listener);
    },
  };
}

/** `words` begin with their status. */
const refusalOf = (words: string) =>
  Object.assign(new Error(words.slice(4)), { responseCode: Number(words.slice(0, 3)) });
