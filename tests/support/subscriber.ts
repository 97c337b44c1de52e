/** Somebody on the mailing list who may be written to, as stored. */
import type { Item } from "../../src/schema/index.ts";
import { NEVER_WRITTEN_TO } from "../../src/schema/visitors.ts";

export const subscriber = (
  email: string,
  more: Partial<Item<"emailSubscriptions">> = {},
): Item<"emailSubscriptions"> => ({
  ...NEVER_WRITTEN_TO,
  written: [],
  id: Bun.randomUUIDv7(),
  email,
  name: null,
  status: "active",
  source: "website",
  subscribedAt: "2026-11-20T10:00:00.000Z",
  ipAddress: null,
  userAgent: null,
  ...more,
});
