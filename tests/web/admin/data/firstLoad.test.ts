/** Writes while a list is loading for the first time. */
import { expect, test } from "bun:test";
import { QueryObserver } from "@tanstack/react-query";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { createItem } from "../../../../src/web/admin/data/entityWrites.ts";
import { createEntityQuery } from "../../../../src/web/admin/data/useEntity.ts";
import { setUpDashboardCalls } from "../../../support/dashboardCalls.ts";
import { setUpSiteForAll } from "../../../support/setUpSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSiteForAll(startSite);
setUpDashboardCalls(site);

test("an item created while its list is loading appears in the list, even if the response was sent before", async () => {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { fetch } = globalThis;
  const holdFirstRead = async (...[path, options]: Parameters<typeof fetch>) => {
    const response = await fetch(path, options);
    if (options?.method !== "GET") return response;
    answered.resolve();
    await released.promise;
    return response;
  };
  globalThis.fetch = Object.assign(holdFirstRead, { preconnect: fetch.preconnect });
  try {
    const observer = new QueryObserver(queryClient, createEntityQuery("statistics"));
    const unsubscribe = observer.subscribe(() => {});
    await answered.promise;
    const creation = createItem("statistics", { value: "7", label: "Shows" });
    await waitForValue(() => queryClient.getQueryState(["statistics"])?.isInvalidated, true);
    released.resolve();
    const { id } = await creation;
    expect(observer.getCurrentResult().data?.value.map((item) => item.id)).toEqual([id]);
    unsubscribe();
  } finally {
    globalThis.fetch = fetch;
  }
});
