/** A real mail server on a free port, which stores its messages and can be made to refuse messages. */
import { dlopen } from "bun:ffi";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { findFreePort } from "./ports.ts";
import { waitForValue } from "./waits.ts";

/** The authority of the server's certificate, as PEM. */
export const CERTIFICATE = readFileSync("tests/fixtures/mail/server.crt", "utf8");
const KEY = readFileSync("tests/fixtures/mail/server.key", "utf8");

export const MAIL_LOGIN = { user: "vera@example.com", pass: "app word 1" };

export interface MailServer {
  readonly port: number;
  /** Accepted messages, oldest first, parsed as a mail program does. */
  readonly received: Email[];
  /** Returns the first message with this subject, once it has arrived. */
  waitForMessage(subject: string | RegExp): Promise<Email>;
  /** Refuses recipients with this status, such as 550. With undefined, accepts them again. */
  refuseRecipients(status: number | undefined): void;
  /**
   * Responds to each recipient with the text that `text` returns, which begins with a status. If it is undefined,
   * accepts the recipient.
   */
  respondToRecipients(text: (to: string) => string | undefined): void;
  /** `work` is called when a message is complete. The server acknowledges the message afterwards. */
  whenReceived(work: (() => unknown) | undefined): void;
  /** Makes the server fail after a message was sent to it, without accepting it. */
  simulateFailure(fault: ServerFailure | undefined): void;
  stop(): Promise<void>;
}

/**
 * The server is silent forever; the connection is cut during the message; the message is accepted, but the connection
 * is cut during the acknowledgement (only without TLS); or the message is refused with this text, which begins with a
 * status.
 */
export type ServerFailure = "silent" | "cut" | "cut answer" | `${4 | 5}${number} ${string}`;

export interface MailServerOptions {
  /** TLS from the first byte. Default: STARTTLS. */
  readonly isSecure?: boolean;
  /** Whether the server asks for `MAIL_LOGIN`. Default: true. */
  readonly hasLogin?: boolean;
  /** Offers no encryption. */
  readonly isPlain?: boolean;
  /** Default: a free port, which nobody else takes while the server is stopped. */
  readonly port?: number;
  /** Like `whenReceived`, but from the start. */
  readonly onReceived?: () => unknown;
  /** Defers the first attempt of each sender and recipient (RFC 6647). */
  readonly isGreylisting?: boolean;
  /** Accepts one message per connection. At the next message, ends the connection, with this text or without. */
  readonly oneMessagePerConnection?: "421 4.7.0 Too many messages on this line" | "cut";
}

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const {
    isSecure = false,
    hasLogin = true,
    isPlain = false,
    isGreylisting,
    oneMessagePerConnection: onlyOne,
  } = options;
  const { port = findFreePort() } = options;
  let { onReceived } = options;
  let currentFailure: ServerFailure | undefined;
  const seenPairs = new Set<string>();
  /** Connections over which a message came. */
  const usedConnections = new Set<string>();
  const messages: Email[] = [];
  let respond: (to: string) => string | undefined = () => undefined;
  const settings: SMTPServerOptions = {
    secure: isSecure,
    key: KEY,
    cert: CERTIFICATE,
    authOptional: !hasLogin,
    disabledCommands: [
      ...(isPlain ? ["STARTTLS" as const] : []),
      ...(hasLogin ? [] : ["AUTH" as const]),
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
      if (onlyOne === undefined || !usedConnections.has(id)) return callback();
      if (onlyOne === "cut") return sockets.forEach((socket) => void socket.destroy());
      callback(createRefusal(onlyOne));
    },
    onRcptTo({ address: to }, { envelope }, callback) {
      const pair = `${envelope.mailFrom && envelope.mailFrom.address} ${to}`;
      if (isGreylisting && !seenPairs.has(pair)) {
        seenPairs.add(pair);
        return callback(createRefusal("450 4.7.1 Greylisted, come again in a few minutes"));
      }
      const text = respond(to);
      callback(text === undefined ? null : createRefusal(text));
    },
    onData(stream, { id }, callback) {
      usedConnections.add(id);
      if (currentFailure === "cut") return sockets.forEach((socket) => void socket.destroy());
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        if (currentFailure === "silent") return void onReceived?.();
        if (currentFailure !== undefined && currentFailure !== "cut answer")
          return callback(createRefusal(currentFailure));
        messages.push(await PostalMime.parse(Buffer.concat(chunks)));
        await onReceived?.();
        if (currentFailure === "cut answer")
          return sockets.forEach((socket) => void socket.end("250-It is ta"));
        callback();
      });
    },
  };
  const server = new SMTPServer(settings);
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const findMessage = (subject: string | RegExp) =>
    messages.find((each) => each.subject!.replace(subject, "") === "");
  return {
    port,
    received: messages,
    async waitForMessage(subject) {
      await waitForValue(() => findMessage(subject) !== undefined, true);
      return findMessage(subject)!;
    },
    refuseRecipients: (status) =>
      (respond = () => (status === undefined ? undefined : `${status} no such user`)),
    respondToRecipients: (text) => (respond = text),
    whenReceived: (work) => (onReceived = work),
    simulateFailure: (fault) => (currentFailure = fault),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The options of a proxy that makes a server respond slowly. */
export interface SlowProxyOptions {
  /** The delay of each response, in milliseconds. */
  readonly delayMs: number;
  /** After the first response, sends byte by byte without an end, with the delay between bytes. */
  readonly isTrickling?: boolean;
  /** The port on which the proxy listens. Default: a free port. */
  readonly port?: number;
  /** The first response waits for this. Default: no wait. */
  readonly ready?: Promise<void>;
}

/** Starts a proxy to the server at `target` with slow responses. */
export async function startSlowProxy(
  target: number,
  {
    delayMs: delay,
    isTrickling = false,
    port = 0,
    ready: after = Promise.resolve(),
  }: SlowProxyOptions,
): Promise<{ readonly port: number; stop(): void }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const remote = connect(target, "127.0.0.1");
    for (const socket of [client, remote]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [client, remote].forEach((each) => void each.destroy()));
    }
    client.pipe(remote);
    if (!isTrickling)
      remote.on("data", (text) => after.then(() => setTimeout(() => client.write(text), delay)));
    else
      remote.once("data", (text) => {
        client.write(text);
        const timer = setInterval(() => client.write("2"), delay);
        client.on("close", () => clearInterval(timer));
      });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Listens on a port that nobody can reach: its queue of connections is full, and nothing accepts them. */
export async function startUnreachableListener(): Promise<{ readonly port: number; stop(): void }> {
  const { symbols: system } = dlopen("libc.so.6", {
    socket: { args: ["int", "int", "int"], returns: "int" },
    listen: { args: ["int", "int"], returns: "int" },
    getsockname: { args: ["int", "ptr", "ptr"], returns: "int" },
    close: { args: ["int"], returns: "int" },
  });
  // These are AF_INET and SOCK_STREAM. Without an address the listener gets a free port.
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

/** Creates the error of a refusal. `text` begins with the response's status. */
const createRefusal = (text: string) =>
  Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });
