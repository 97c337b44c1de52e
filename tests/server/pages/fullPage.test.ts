/** A home page with as much content as an owner can add (specification, section 3.20). */
import { expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { entities } from "../../../src/schema/index.ts";
import { readChapters } from "../../support/specification.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));

/** Real sentences, a different one each time. */
const TEXT = [...(await readChapters()).values()].join("\n").replaceAll(/[^A-Za-z,.' ]+/g, " ");
let position = 0;
const createText = (length: number) => TEXT.slice(position, (position += length)).trim() || "Words";

const createItems = <T extends object>(count: number, make: (order: number) => T) =>
  Array.from({ length: count }, (_, order) => ({ id: Bun.randomUUIDv7(), order, ...make(order) }));

async function fillSite(): Promise<void> {
  const { events, testimonials, packages } = entities;
  await site.asOwner("POST", "/api/extras", { on: ["dates", "testimonials", "packages"] });
  await site.asOwner("POST", "/api/testimonial-settings", { place: "home" });
  await site.asOwner("POST", "/api/package-settings", { place: "home" });
  await site.store.of(events).update(() =>
    createItems(500, (day) => ({
      ...getInitialValues(events.fields),
      title: createText(24),
      venue: createText(12),
      city: createText(8),
      startsAt: `${new Date(Date.now() + (day + 1) * 86_400_000).toISOString().slice(0, 10)}T20:00`,
      ticketUrl: `https://tickets.example/${day}`,
    })),
  );
  await site.store.of(testimonials).update(() =>
    createItems(200, () => ({
      ...getInitialValues(testimonials.fields),
      words: createText(150),
      name: createText(14),
      role: createText(20),
    })),
  );
  await site.store.of(packages).update(() =>
    createItems(12, () => ({
      ...getInitialValues(packages.fields),
      title: createText(16),
      price: "£450",
      description: createText(120),
      points: [createText(30), createText(30), createText(30)].join("\n"),
    })),
  );
}

test("a page with 500 events, 200 testimonials and 12 packages has at most 48 KB and is rendered within half a second", async () => {
  await fillSite();
  const spent: number[] = [];
  for (let round = 0; round < 11; round++) {
    // A change makes the page render again.
    await site.asOwner("POST", "/api/event-settings", { description: `Round ${round}` }); // oxlint-disable-line no-await-in-loop
    const started = performance.now();
    expect((await site.visitor().get("/")).text).toContain(`Round ${round}`); // oxlint-disable-line no-await-in-loop
    spent.push(performance.now() - started);
  }
  const response = await fetch(site.url, {
    headers: { "accept-encoding": "br" },
    decompress: false,
  });
  const sent = (await response.arrayBuffer()).byteLength;
  const html = await (await fetch(site.url)).text();
  const median = spent.toSorted((one, other) => one - other)[5]!;
  console.log(
    `The fullest home page: ${median.toFixed(1)} ms from change to page, ${sent} bytes as sent of ${html.length}.`,
  );
  expect(median).toBeLessThan(500);
  expect(html.match(/<article>/g)).toHaveLength(500);
  expect(html.match(/<figure /g)).toHaveLength(200);
  expect(sent).toBeLessThanOrEqual(48_000);
});
