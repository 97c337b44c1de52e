/** People whom a site's owner invites. */
import type { Caller } from "./site.ts";
import type { Site } from "./startSite.ts";

export const KIM = { username: "kim", password: "quiet rows of velvet" };

export const readToken = ({ path }: { readonly path: string }) =>
  /#token=([\w-]{43})$/.exec(path)![1]!;

/** Calls that invite people and let them join, and those people's sessions. */
export function createInvitationCalls(site: Pick<Site, "visitor">, owner: Caller) {
  const users = async () => (await owner.get("/api/users")).body as Record<string, string>[];
  return {
    users,
    invite: async (role = "editor", email = "kim@agency.example") =>
      (await owner.post("/api/invitations", { email, role })).body,
    join: (token: string, more: object = {}, client = site.visitor()) =>
      client.post("/api/join", { token, ...KIM, ...more }),
    getUserId: async (username: string) =>
      (await users()).find((user) => user["username"] === username)!["id"]!,
  };
}
