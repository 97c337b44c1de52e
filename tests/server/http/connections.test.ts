/** How many connections one address, and all together, may have (specification, section 6.5). */
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { boundConnections, tooFewDescriptors } from "../../../src/server/http/connections.ts";
import type { Peer } from "../../../src/server/http/systemSockets.ts";
import { eventually } from "../../support/waits.ts";

const nobody = () => false;

/** Sockets of a made-up process; those that are shut down are gone. */
function madeUp() {
  const open = new Map<number, Peer>();
  let next = 10;
  return {
    open,
    add(count: number, addressOf: (at: number) => string) {
      for (let at = 0; at < count; at++) {
        const descriptor = next++;
        open.set(descriptor, { address: addressOf(at), port: 1000 + descriptor });
      }
    },
    sockets: {
      connected: () => new Map(open),
      shutDown: (descriptor: number) => void open.delete(descriptor),
    },
    of: (address: string) => [...open.values()].filter((peer) => peer.address === address).length,
  };
}

/** With 65,536 descriptors; the timer is stopped, so that only the test looks. */
function bounding(
  sockets: ReturnType<typeof madeUp>["sockets"],
  { descriptors = 65_536, isSpared = nobody as (address: string) => boolean } = {},
) {
  const bound = boundConnections({ ports: () => [80], descriptors, isSpared, sockets });
  bound.stop();
  return bound;
}

// Looking begins where this process has as many files open as one address may have.
const opened: Socket[] = [];
const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
for (let at = 0; at < 80; at++) opened.push(connect(server.port, "127.0.0.1"));
afterEach(() => expect(opened.length).toBe(80));
afterAll(() => {
  for (const socket of opened) socket.destroy();
  server.stop(true);
});

describe("of one address", () => {
  test("1,024 are kept, the oldest, and the rest is closed", () => {
    const all = madeUp();
    const bound = bounding(all.sockets);
    all.add(1000, () => "192.0.2.1");
    expect(bound.look()).toBe(0);
    const first = new Set(all.open.keys());
    all.add(500, () => "192.0.2.1");
    all.add(3, () => "198.51.100.1");
    expect(bound.look()).toBe(476);
    expect(all.of("192.0.2.1")).toBe(1024);
    expect([...first].every((descriptor) => all.open.has(descriptor))).toBe(true);
    expect(all.of("198.51.100.1")).toBe(3);
    expect(bound.look()).toBe(0);
  });

  test("a descriptor that another connection has by now is that one", () => {
    const all = madeUp();
    const bound = bounding(all.sockets, { descriptors: 4096 });
    all.add(64, () => "192.0.2.1");
    bound.look();
    const [freed] = all.open.keys();
    all.open.set(freed!, { address: "198.51.100.1", port: 5 });
    all.add(1, () => "192.0.2.1");
    expect(bound.look()).toBe(0);
    expect(all.of("192.0.2.1")).toBe(64);
  });

  test("its /24 may have four times as much, a /48 eight times", () => {
    const all = madeUp();
    const bound = bounding(all.sockets, { descriptors: 4096 });
    all.add(1000, (at) => `192.0.2.${at % 250}`);
    all.add(1000, (at) => `2001:db8:1:${((at % 250) * 256).toString(16)}::1`);
    bound.look();
    const counts = Map.groupBy(all.open.values(), ({ address }) => address.includes(":"));
    expect([counts.get(false)!.length, counts.get(true)!.length]).toEqual([4 * 64, 8 * 64]);
  });

  test("a proxy is spared", () => {
    const all = madeUp();
    all.add(3000, () => "10.0.0.1");
    expect(bounding(all.sockets, { isSpared: (address) => address === "10.0.0.1" }).look()).toBe(0);
  });
});

test("of all together an eighth, at most 512, is kept free, at the cost of those who have most", () => {
  const all = madeUp();
  const bound = bounding(all.sockets, { descriptors: 1024 });
  all.add(5, () => "203.0.113.7");
  for (let network = 0; network < 40; network++) all.add(60, () => `198.18.${network}.1`);
  bound.look();
  expect(all.open.size).toBe(896);
  expect(all.of("203.0.113.7")).toBe(5);
  const others = Array.from({ length: 40 }, (_, network) => all.of(`198.18.${network}.1`));
  expect(Math.max(...others) - Math.min(...others)).toBeLessThanOrEqual(1);
});

describe.skipIf(process.platform !== "linux")("real sockets", () => {
  test("above the bound are closed, those below go on, and other ports are left alone", async () => {
    const web = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("here") });
    const closed = new Set<Socket>();
    const clients = Array.from({ length: 100 }, () => connect(web.port!, "127.0.0.1"));
    for (const client of clients) {
      client.on("error", () => {});
      client.on("close", () => closed.add(client));
      // The kernel may keep back a connection that has said nothing.
      client.write("GET / HTTP/1.1\r\n");
    }
    await eventually(() => clients.filter(({ readyState }) => readyState === "open").length, 100);
    const bound = boundConnections({
      ports: () => [web.port!],
      descriptors: 4096,
      isSpared: nobody,
    });
    let shut = 0;
    // The server takes them one after the other.
    await eventually(() => (shut += bound.look()), 36);
    await eventually(() => closed.size, 36);
    expect(bound.look()).toBe(0);
    bound.stop();
    const kept = clients.find((client) => !closed.has(client))!;
    const answered = new Promise<string>((resolve) =>
      kept.once("data", (data) => resolve(String(data))),
    );
    kept.write("Host: x\r\n\r\n");
    expect(await answered).toContain("here");
    expect(opened.every(({ destroyed }) => !destroyed)).toBe(true);
    for (const client of clients) client.destroy();
    await web.stop(true);
  });
});

test("a low limit is said, with what to do", () => {
  expect(tooFewDescriptors(1024)).toBe(
    'Only 1024 files and connections can be open at once, which visitors can use up. Raise the limit: LimitNOFILE=65536 in the service, or "ulimit -n 65536" before the start.',
  );
  expect([tooFewDescriptors(4096), tooFewDescriptors(undefined)]).toEqual([undefined, undefined]);
});
