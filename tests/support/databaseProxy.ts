/**
 * A connection to a database that fails as machines and networks do: silently, or with a response that never arrives.
 */
import { connect, createServer, type Socket } from "node:net";

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  sent: string;
  isFrozen: boolean;
}

/** Starts a proxy for the database on this port of 127.0.0.1. */
export async function startDatabaseProxy(port: number) {
  const connections = new Set<Connection>();
  const losses: { pattern: RegExp; lost: "response" | "request"; isLast: boolean }[] = [];
  let isClosed = false;
  const server = createServer((client) => {
    if (isClosed) return void client.destroy();
    const connection = { client, server: connect(port, "127.0.0.1"), sent: "", isFrozen: false };
    connections.add(connection);
    let isLosing = false;
    client.on("data", (bytes) => {
      if (connection.isFrozen) return;
      const text = bytes.toString("latin1");
      connection.sent += text;
      const index = losses.findIndex(({ pattern }) => pattern.test(text));
      if (index >= 0) {
        const [{ lost, isLast }] = losses.splice(index, 1) as [(typeof losses)[0]];
        if (isLast) {
          isClosed = true;
          for (const each of connections) if (each !== connection) each.client.destroy();
        }
        if (lost === "request") return void client.destroy();
        isLosing = true;
      }
      connection.server.write(bytes);
    });
    connection.server.on("data", (bytes) => {
      if (isLosing) client.destroy();
      else if (!connection.isFrozen) client.write(bytes);
    });
    client.on("close", () => {
      if (!isLosing && !connection.isFrozen) connection.server.destroy();
    });
    connection.server.on("close", () => connection.isFrozen || client.destroy());
    for (const socket of [client, connection.server]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    /**
     * Stops all traffic on connections over which the client has sent a match of `when`. They stay open, and new
     * connections work. Returns the number of stopped connections.
     */
    freeze(when: RegExp): number {
      const matching = [...connections].filter(({ sent }) => when.test(sent));
      for (const each of matching) each.isFrozen = true;
      return matching.length;
    },
    /**
     * Forwards the next match of `pattern`, and closes the client's side before the response. With `isLast`, no
     * connection can be made until `open` is called.
     */
    loseResponse: (pattern: RegExp, isLast = false) =>
      void losses.push({ pattern, lost: "response", isLast }),
    /** Closes both sides instead of forwarding the next match of `pattern`. `isLast` is as above. */
    loseRequest: (pattern: RegExp, isLast = false) =>
      void losses.push({ pattern, lost: "request", isLast }),
    /** Whether a loss with `isLast` has happened, so that no connection can be made. */
    isClosed: () => isClosed,
    open: () => void (isClosed = false),
    async stop() {
      for (const { client, server: other } of connections)
        [client, other].map((each) => each.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
