/** The dashboard's cached data stays until a write (specification, section 4.13). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { focusManager, onlineManager, QueryObserver } from "@tanstack/react-query";
import { queryClient } from "../../../../src/web/admin/data/client.ts";

beforeAll(() => queryClient.mount());
afterAll(() => {
  focusManager.setFocused(undefined);
  queryClient.unmount();
  queryClient.clear();
});

test("loaded data isn't requested again when the window gets the focus or the connection returns", async () => {
  let requests = 0;
  const query = { queryKey: ["read once"], queryFn: async () => ++requests };
  await queryClient.fetchQuery(query);
  const stop = new QueryObserver(queryClient, query).subscribe(() => {});
  const another = new QueryObserver(queryClient, query).subscribe(() => {});
  for (const manager of [
    focusManager.setFocused.bind(focusManager),
    onlineManager.setOnline.bind(onlineManager),
  ]) {
    manager(false);
    manager(true);
  }
  expect(queryClient.isFetching()).toBe(0);
  expect(requests).toBe(1);
  stop();
  another();
});

test("a failed request for data isn't repeated automatically", async () => {
  let requests = 0;
  const query = { queryKey: ["fails"], queryFn: () => Promise.reject(new Error(`${++requests}`)) };
  const failed = Promise.withResolvers<void>();
  const observer = new QueryObserver(queryClient, query);
  const stop = observer.subscribe(({ isError }) => isError && failed.resolve());
  await failed.promise;
  expect([requests, observer.getCurrentResult().isFetching]).toEqual([1, false]);
  stop();
});
