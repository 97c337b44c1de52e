/** A name of DOMAIN that isn't ready doesn't delay the others (specification, section 1.4). */
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type HttpsSite, newHttpsSite, noticesOf } from "../../support/httpsSite.ts";
import { findPebble, type Pebble, startPebble } from "../../support/pebble.ts";
import { eventually } from "../../support/waits.ts";

setDefaultTimeout(120_000);

const programs = await findPebble();
const [MAIN_DOMAIN, OTHER] = ["limelight.test", "www.limelight.test"] as const;

describe.skipIf(programs === undefined)("when one of two names isn't ready", () => {
  let pebble: Pebble;
  let site: HttpsSite;

  async function authority(): Promise<void> {
    site = await newHttpsSite(MAIN_DOMAIN);
    pebble = await startPebble(programs!, site.http);
    await pebble.resolves(OTHER, false);
  }
  afterEach(async () => {
    await site.remove();
    await pebble.stop();
  });

  /** The name of the certificate that visitors of this name get. */
  const shownFor = async (servername: string) => {
    const socket = await site.connected({ servername, rejectUnauthorized: false });
    const { subjectaltname } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  };

  test("the stored certificate stays in use, and log and dashboard say which name lacks what", async () => {
    await authority();
    await site.start(MAIN_DOMAIN, pebble);
    await site.says("now using a certificate");
    const before = await site.serial();
    await site.end();
    await site.start(`${MAIN_DOMAIN},${OTHER}`, pebble);
    await eventually(site.serial, before);
    await site.says(
      /couldn't get a certificate \(www\.limelight\.test: .*could not resolve.*Next attempt in 15 minutes/,
    );
    expect(await site.log()).toContain(
      `The current certificate is for ${MAIN_DOMAIN} and expires on `,
    );
    expect(await site.serial()).toBe(before);
    expect(await noticesOf(site.https, MAIN_DOMAIN)).toContainEqual(
      expect.objectContaining({
        code: "certificate",
        title: "One of the site's domain names isn't reachable over HTTPS yet",
        message: expect.stringContaining(`${OTHER}: `),
      }),
    );
    await site.end();
    await pebble.resolves(OTHER, true);
    await site.start(`${MAIN_DOMAIN},${OTHER}`, pebble);
    await site.says(`now using a certificate for ${OTHER}.`);
    for (const name of [MAIN_DOMAIN, OTHER]) expect(await shownFor(name)).toBe(`DNS:${name}`);
    expect(await site.serial()).toBe(before);
    expect(await noticesOf(site.https, MAIN_DOMAIN)).not.toContainEqual(
      expect.objectContaining({ code: "certificate" }),
    );
  });

  test("a first start gets a certificate for the other name, and one for this name once it is ready", async () => {
    await authority();
    await site.start(`${MAIN_DOMAIN},${OTHER}`, pebble);
    await site.says(`now using a certificate for ${MAIN_DOMAIN}.`);
    expect(await shownFor(OTHER)).toBe(`DNS:${MAIN_DOMAIN}`);
    // Its delay is over with a restart.
    await pebble.resolves(OTHER, true);
    await site.end();
    await site.start(`${MAIN_DOMAIN},${OTHER}`, pebble);
    await site.says(`now using a certificate for ${OTHER}.`);
    for (const name of [MAIN_DOMAIN, OTHER]) expect(await shownFor(name)).toBe(`DNS:${name}`);
  });
});
