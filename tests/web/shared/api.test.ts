/** Failed calls become messages for people (specification, sections 7 and 8.1). */
import { afterAll, expect, test } from "bun:test";
import { callApi } from "../../../src/web/shared/api.ts";

let respond: () => Response;
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => respond() });
afterAll(() => server.stop(true));

const readMessage = (body: string, status: number) => {
  respond = () => new Response(body, { status });
  return callApi(server.url.href).then(
    () => undefined,
    (error) => error.message,
  );
};

test("a failed call's message is the response's error field, else its message field, its body or the status text", async () => {
  expect([
    await readMessage('{"error":"Wrong.","message":"Other"}', 422),
    await readMessage('{"message":"Other"}', 422),
    await readMessage("upstream connect error", 503),
    await readMessage("", 404),
  ]).toEqual(["Wrong.", "Other", "upstream connect error", "Not Found"]);
});

test.each([
  ["nginx", "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n"],
  ["one that begins with an empty line", "\r\n\r\n<!DOCTYPE html>\n<p>Timed out</p>"],
  ["one with a byte order mark", "\ufeff<!doctype html><p>Portal</p>"],
])("an HTML error page of a proxy gives a failed call an empty message: %s", async (_, body) => {
  expect(await readMessage(body, 502)).toBe("");
});
