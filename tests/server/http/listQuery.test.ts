import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { Refusal } from "../../../src/server/shared/errors.ts";
import { readListQuery } from "../../../src/server/visitors/recordRoutes.ts";

const parseQuery = (query: string) =>
  readListQuery(Object.fromEntries(new URLSearchParams(query)), entities.formSubmissions);

test("a page of a list has 200 items, unless the query sets another limit", () => {
  expect(parseQuery("")).toEqual({
    offset: 0,
    limit: 200,
    status: undefined,
    stage: undefined,
    search: undefined,
  });
  expect(parseQuery("?offset=400&limit=1000&status=new&search=%20Ann%20")).toEqual({
    offset: 400,
    limit: 1000,
    status: "new",
    stage: undefined,
    search: "Ann",
  });
});

test.each(["limit=0", "limit=1001", "limit=-1", "offset=1.5", "offset=x", "status=gone"])(
  "the list query %s is refused with a message",
  (query) => {
    try {
      parseQuery(`?${query}`);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      expect((error as Refusal).status).toBe(422);
      expect(Object.keys((error as Refusal).body.fields!)).toEqual([query.split("=")[0]!]);
    }
  },
);

test.each([[{ toString: 1 }], [["ann"]], [null]])(
  "a search for %j is refused with a message",
  (search) => {
    const read = () => readListQuery({ search }, entities.formSubmissions);
    expect(read).toThrow("This must be text.");
  },
);
