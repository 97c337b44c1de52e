/** A call with a slow body, so that something else finishes before it. */
import type { Client } from "./client.ts";

/** Makes a call and returns its status. `meanwhile` runs before the rest of the body is sent. */
export async function callSlowly(
  client: Client,
  method: "POST" | "PUT",
  path: string,
  payload: object,
  meanwhile: () => unknown,
): Promise<number> {
  const text = new TextEncoder().encode(JSON.stringify(payload));
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(text.slice(0, 9));
      await meanwhile();
      controller.enqueue(text.slice(9));
      controller.close();
    },
  });
  const headers = { cookie: client.cookies(), "content-type": "application/json" };
  return (await fetch(client.url + path, { method, body, headers })).status;
}
