/** A proxy for a server whose connections a test can cut or change. */
import { createServer, connect, type Socket } from "node:net";

export interface TamperingProxy {
  readonly port: number;
  /** Returns the bytes to pass on to the server; null cuts the connection. Default: passes them on unchanged. */
  toServer: (bytes: Buffer, sent: number) => Buffer | null;
  toClient: (bytes: Buffer, received: number) => Buffer | null;
  /** Passes everything unchanged again. */
  reset(): void;
  stop(): Promise<void>;
}

const passUnchanged = (bytes: Buffer) => bytes;

/** Starts a proxy. `sent` and `received` are the numbers of bytes over the connection so far. */
export async function startTamperingProxy(port: number): Promise<TamperingProxy> {
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
    const forward = (from: Socket, to: Socket, direction: "toServer" | "toClient") => {
      let count = 0;
      from.on("data", (bytes: Buffer) => {
        const passed = proxy[direction](bytes, count);
        count += bytes.length;
        if (passed === null) cut();
        else to.write(passed);
      });
    };
    forward(client, remote, "toServer");
    forward(remote, client, "toClient");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  const proxy: TamperingProxy = {
    port: address.port,
    toServer: passUnchanged,
    toClient: passUnchanged,
    reset() {
      proxy.toServer = passUnchanged;
      proxy.toClient = passUnchanged;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
