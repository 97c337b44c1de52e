/** Reports the program's state to the service manager (sd_notify(3)). Imported only if NOTIFY_SOCKET is set. */
import { dlopen, ptr } from "bun:ffi";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;

/**
 * Sends a line such as "READY=1" to the socket that NOTIFY_SOCKET names: a path, or an abstract name after an @. Calls
 * the C library, since Bun has no Unix datagram sockets. Returns whether the line was sent.
 */
export function notifySocket(socket: string, state: string): boolean {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "usize", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });
  const descriptor = symbols.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  const path = Buffer.from(socket.replace(/^@/, "\0"));
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), path]);
  const bytes = Buffer.from(state);
  const destination = [ptr(address), address.length] as const;
  const sent = symbols.sendto(descriptor, ptr(bytes), bytes.length, MSG_NOSIGNAL, ...destination);
  symbols.close(descriptor);
  return Number(sent) === bytes.length;
}
