/** Calendar files contain their values, and nothing that a text injects. */
import { expect, test } from "bun:test";
import { createCalendarWriter } from "../../../src/server/shared/calendarFile.ts";

test("a line break in a text can't begin a new line of a calendar file", async () => {
  const write = await createCalendarWriter();
  const text = "Ada; voice, stage\nATTACH:https://evil.example\rATTACH:evil\r\nATTACH:evil";
  const file = write({ name: text, product: "Dates" }, [
    {
      uid: "date@example.com",
      start: new Date(0),
      end: new Date(3_600_000),
      stamp: new Date(0),
      summary: text,
      description: text,
      location: text,
      organizer: { name: text, email: "ada@example.com" },
      status: "CONFIRMED",
    },
  ]);
  expect(file.split(/\r\n|[\r\n]/).filter((line) => line.startsWith("ATTACH"))).toEqual([]);
});

test("a calendar's name is escaped like every text", async () => {
  const write = await createCalendarWriter();
  const file = write({ name: "Lee, Ann; \\new", product: "Dates" }, []);
  expect(file).toContain("\r\nX-WR-CALNAME:Lee\\, Ann\\; \\\\new\r\n");
});
