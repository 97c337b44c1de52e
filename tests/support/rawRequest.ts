/** Sends raw bytes to a server, unlike any well-behaved client. */
import { connect } from "node:net";

/** The response over one connection. */
export interface RawAnswer {
  /** Everything received, as Latin-1. */
  readonly text: string;
  /** The status of the first response; 0 without one. */
  readonly status: number;
  /** True if the server closed the connection. */
  readonly closed: boolean;
  /** Milliseconds from the first byte to the end. */
  readonly ms: number;
}

export interface RawOptions {
  /** Sent repeatedly, at this interval in milliseconds. */
  readonly drip?: { readonly text: string; readonly every: number };
  /** The connection is given up after this, in milliseconds. Default: 30 s, which no response takes. */
  readonly patience?: number;
  /** Called once connected. */
  readonly onOpen?: () => void;
  /** Default: at the end of the first response's headers. */
  readonly until?: (text: string) => boolean;
}

/** Sends `text` to the server at `url` and waits for its response. */
export function rawRequest(url: string, text: string, options: RawOptions = {}) {
  const { drip, patience = 30_000, onOpen, until = (got) => got.includes("\r\n\r\n") } = options;
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise<RawAnswer>((resolve) => {
    let got = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      onOpen?.();
    });
    const dripping = drip && setInterval(() => socket.write(drip.text), drip.every);
    const end = (closed: boolean) => {
      clearInterval(dripping);
      clearTimeout(waiting);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1] ?? 0);
      resolve({ text: got, status, closed, ms: performance.now() - started });
    };
    const waiting = setTimeout(() => end(false), patience);
    socket.on("data", (bytes) => {
      got += bytes.toString("latin1");
      if (until(got)) end(false);
    });
    socket.on("error", () => {});
    socket.on("close", () => end(true));
  });
}
