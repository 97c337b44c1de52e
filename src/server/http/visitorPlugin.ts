/** Gives handlers the `visitor` of a request. */
import { Elysia } from "elysia";
import type { ClientAddress } from "./clientAddress.ts";
import type { Visitor } from "./visitor.ts";

const MAX_USER_AGENT = 400;

/** What of Bun's server is needed to know a socket's address. */
export interface SocketAddresses {
  requestIP(request: Request): { address: string } | null;
}

/** Answers who sent a request; the address is "unknown" where there is no socket. */
export type WhoCalls = (request: Request) => Visitor;

/** `server` gives the one that listens, once it does. */
export function whoCalls(
  server: () => SocketAddresses | null | undefined,
  addressOf: ClientAddress,
): WhoCalls {
  return (request) => {
    const socket = server()?.requestIP(request)?.address ?? "unknown";
    return {
      address: addressOf(socket, request.headers.get("x-forwarded-for")),
      userAgent: request.headers.get("user-agent")?.slice(0, MAX_USER_AGENT) ?? null,
    };
  };
}

/** A plugin whose users' handlers get `visitor`. */
export function visitorPlugin(who: WhoCalls) {
  return new Elysia({ name: "visitor" }).derive({ as: "scoped" }, ({ request }) => ({
    visitor: who(request),
  }));
}

/** The type of the plugin, for capabilities that are given it. */
export type VisitorPlugin = ReturnType<typeof visitorPlugin>;
