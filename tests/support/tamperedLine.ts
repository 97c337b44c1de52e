/** A connection to a server that a test can cut or change. */
import { createServer, connect, type Socket } from "node:net";

export interface TamperedLine {
  readonly port: number;
  /** Changes the bytes on their way to the server and back; null cuts the connection. Default: unchanged. */
  up: (bytes: Buffer, sent: number) => Buffer | null;
  down: (bytes: Buffer, received: number) => Buffer | null;
  /** Passes everything unchanged again. */
  mend(): void;
  stop(): Promise<void>;
}

const asItIs = (bytes: Buffer) => bytes;

/** `sent` and `received` count the bytes of the connection so far. */
export async function tamperedLineTo(port: number): Promise<TamperedLine> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const remote = connect(port, "127.0.0.1");
    const cut = () => {
      client.destroy();
      remote.destroy();
    };
    for (const socket of [client, remote]) {
      open.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        open.delete(socket);
        cut();
      });
    }
    const pass = (from: Socket, to: Socket, direction: "up" | "down") => {
      let count = 0;
      from.on("data", (bytes: Buffer) => {
        const passed = line[direction](bytes, count);
        count += bytes.length;
        if (passed === null) cut();
        else to.write(passed);
      });
    };
    pass(client, remote, "up");
    pass(remote, client, "down");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  const line: TamperedLine = {
    port: address.port,
    up: asItIs,
    down: asItIs,
    mend() {
      line.up = asItIs;
      line.down = asItIs;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}
