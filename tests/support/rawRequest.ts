/** Sends raw bytes to a server, as no well-behaved client does. */
import { connect } from "node:net";

/** The response over one connection. */
export interface RawResponse {
  /** Everything received, as Latin-1. */
  readonly text: string;
  /** The status of the first response; 0 if there is none. */
  readonly status: number;
  /** True if the server closed the connection. */
  readonly isClosed: boolean;
  /** Milliseconds from the first byte to the end. */
  readonly elapsedMs: number;
}

export interface RawRequestOptions {
  /** A text that is sent repeatedly, at this interval in milliseconds. */
  readonly drip?: { readonly text: string; readonly intervalMs: number };
  /**
   * The time after which the connection is given up, in milliseconds. Default: 30 s, longer than any response takes.
   */
  readonly timeoutMs?: number;
  /** Called once connected. */
  readonly onOpen?: () => void;
  /** Whether the response is complete. Default: at the end of the first response's headers. */
  readonly isFinished?: (text: string) => boolean;
}

/** Sends `text` to the server at `url` and waits for its response. */
export function sendRawRequest(url: string, text: string, options: RawRequestOptions = {}) {
  const {
    drip,
    timeoutMs = 30_000,
    onOpen,
    isFinished: until = (text) => text.includes("\r\n\r\n"),
  } = options;
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise<RawResponse>((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      onOpen?.();
    });
    const dripTimer = drip && setInterval(() => socket.write(drip.text), drip.intervalMs);
    const end = (isClosed: boolean) => {
      clearInterval(dripTimer);
      clearTimeout(timeout);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
      resolve({ text: received, status, isClosed, elapsedMs: performance.now() - started });
    };
    const timeout = setTimeout(() => end(false), timeoutMs);
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      if (until(received)) end(false);
    });
    socket.on("error", () => {});
    socket.on("close", () => end(true));
  });
}
