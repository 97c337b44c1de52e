/** A release contains no packages with known vulnerabilities, and isn't made without an audit. */
import { afterAll, expect, test } from "bun:test";
import { auditPackages } from "../../src/build/auditPackages.ts";

let respond: () => Response;
const registry = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => respond() });
afterAll(() => registry.stop(true));

/** Returns the audit's message for this response of the registry; undefined without findings. */
function findRefusal(answer: () => Response): Promise<string | undefined> {
  respond = answer;
  const env = { PATH: process.env["PATH"], NPM_CONFIG_REGISTRY: registry.url.href };
  return auditPackages(env).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

test("the audit of packages accepts packages without a known vulnerability", async () => {
  expect(await findRefusal(() => Response.json({}))).toBeUndefined();
});

test("a known vulnerability is reported with its link", async () => {
  const hole = {
    id: 1,
    url: "https://github.com/advisories/GHSA-0000",
    title: "Reads too far",
    severity: "high",
    vulnerable_versions: "<99",
  };
  const message = await findRefusal(() => Response.json({ valibot: [hole] }));
  expect(message).toContain(`valibot: Reads too far (high, ${hole.url})`);
  expect(message).toContain("Use versions without them, or release with --unaudited");
});

test("a registry that can't be reached stops the release", async () => {
  const message = await findRefusal(() => new Response("no", { status: 405 }));
  expect(message).toStartWith("Couldn't check for known vulnerabilities");
  expect(message).toContain("Try again later, or release with --unaudited");
});
