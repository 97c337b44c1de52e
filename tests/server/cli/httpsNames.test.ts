/** A name of DOMAIN that isn't ready doesn't delay the others (specification, section 1.4). */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type HttpsSite, createHttpsSite, readNotices } from "../../support/httpsSite.ts";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { waitForValue } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const pebbleFolder = await findPebble();
const [MAIN_DOMAIN, OTHER_DOMAIN] = ["limelight.test", "www.limelight.test"] as const;

describe.skipIf(pebbleFolder === undefined)("when one of two domain names isn't ready", () => {
  let pebble: Pebble;
  let site: HttpsSite;

  async function startAuthority(): Promise<void> {
    site = await createHttpsSite(MAIN_DOMAIN);
    pebble = await startPebble(pebbleFolder!, site.http);
    await pebble.setResolvable(OTHER_DOMAIN, false);
  }
  afterEach(async () => {
    await site.remove();
    await pebble.stop();
  });

  /** The names in the certificate that visitors of `servername` get. */
  const readServedNames = async (servername: string) => {
    const socket = await site.connected({ servername, rejectUnauthorized: false });
    const { subjectaltname } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  };

  test("the stored certificate stays in use, and log and dashboard say which name has no certificate", async () => {
    await startAuthority();
    await site.start(MAIN_DOMAIN, pebble);
    await site.waitForLog("now using a certificate");
    const before = await site.readSerial();
    await site.stop();
    await site.start(`${MAIN_DOMAIN},${OTHER_DOMAIN}`, pebble);
    await waitForValue(site.readSerial, before);
    await site.waitForLog(
      /couldn't get a certificate \(www\.limelight\.test: .*could not resolve.*Next attempt in 15 minutes/,
    );
    expect(await site.log()).toContain(
      `The current certificate is for ${MAIN_DOMAIN} and expires on `,
    );
    expect(await site.readSerial()).toBe(before);
    expect(await readNotices(site.https, MAIN_DOMAIN)).toContainEqual(
      expect.objectContaining({
        code: "certificate",
        title: "One of the site's domain names isn't reachable over HTTPS yet",
        message: expect.stringContaining(`${OTHER_DOMAIN}: `),
      }),
    );
    await site.stop();
    await pebble.setResolvable(OTHER_DOMAIN, true);
    await site.start(`${MAIN_DOMAIN},${OTHER_DOMAIN}`, pebble);
    await site.waitForLog(`now using a certificate for ${OTHER_DOMAIN}.`);
    for (const name of [MAIN_DOMAIN, OTHER_DOMAIN])
      expect(await readServedNames(name)).toBe(`DNS:${name}`);
    expect(await site.readSerial()).toBe(before);
    expect(await readNotices(site.https, MAIN_DOMAIN)).not.toContainEqual(
      expect.objectContaining({ code: "certificate" }),
    );
  });

  test("a first start gets a certificate for the ready name, and a later start gets one for the other name", async () => {
    await startAuthority();
    await site.start(`${MAIN_DOMAIN},${OTHER_DOMAIN}`, pebble);
    await site.waitForLog(`now using a certificate for ${MAIN_DOMAIN}.`);
    expect(await readServedNames(OTHER_DOMAIN)).toBe(`DNS:${MAIN_DOMAIN}`);
    // A restart ends the delay before the next attempt.
    await pebble.setResolvable(OTHER_DOMAIN, true);
    await site.stop();
    await site.start(`${MAIN_DOMAIN},${OTHER_DOMAIN}`, pebble);
    await site.waitForLog(`now using a certificate for ${OTHER_DOMAIN}.`);
    for (const name of [MAIN_DOMAIN, OTHER_DOMAIN])
      expect(await readServedNames(name)).toBe(`DNS:${name}`);
  });
});
