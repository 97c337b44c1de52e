/** Phone numbers as people type them: the stored form, and the dialed one. */
import { describe, expect, test } from "bun:test";
import {
  type CountryCode,
  type Examples,
  getExampleNumber,
  type PhoneNumber,
} from "libphonenumber-js/min";
import examples from "libphonenumber-js/examples.mobile.json";
import { COUNTRIES } from "../../src/schema/core/countries.ts";
import { normalizePhone, parseDialableNumber } from "../../src/schema/core/phone.ts";
import { assertDefined } from "../../src/schema/core/assertDefined.ts";

const readDialedNumber = (typed: string) => parseDialableNumber(typed).number;

/** The prefix chosen in the form, joined to the typed number; and the stored form. */
test.each([
  ["+44\u202d+44 7700 900123\u202c", "+44 7700 900123"],
  ["+4400 49 151 12345678", "+49 151 12345678"],
  ["+44(+44) 7700 900123", "+44 7700 900123"],
  ["+44+49 151 12345678", "+49 151 12345678"],
  ["+4407700 900123", "+447700 900123"],
  ["+44 (0)7700 900123", "+44 7700 900123"],
  ["+4444 7700 900123", "+44 7700 900123"],
  ["+1011 44 7700 900123", "+44 7700 900123"],
  ["+61 0011 44 7700 900123", "+44 7700 900123"],
  ["+49 (030) 1234-567", "+49 30 1234-567"],
  ["+81\uff10\uff19\uff10-\uff11\uff12\uff13\uff14-\uff15\uff16\uff17\uff18", "+8190-1234-5678"],
  ["+20\u0660\u0661\u0660 \u0661\u0662\u0663\u0664 \u0665\u0666\u0667\u0668", "+2010 1234 5678"],
  ["+4420 7946 0000 ext 12", "+4420 7946 0000 ext 12"],
  // An area code that has the digits of the prefix.
  ["+5555 1234-5678", "+5555 1234-5678"],
  ["+7+7 900 800 70 60", "+7 900 800 70 60"],
  ["+390039 06 698 1234", "+39 06 698 1234"],
  ["+1 1-212-555-0123", "+1 212-555-0123"],
  // Trunk prefixes as they are dialed within a country, and those that countries never had or gave up.
  ["+54011 15-1234-5678", "+54 9 11 1234 5678"],
  ["+5201 55 1234 5678", "+52 55 1234 5678"],
  ["+55015 11 91234-5678", "+55 11 91234-5678"],
  ["+3606 20 123 4567", "+36 20 123 4567"],
  ["+375 8 029 123-45-67", "+375 29 123-45-67"],
  ["+378 0549 886377", "+378 0549 886377"],
  // Numbers of a region that keep their 0, and numbers that aren't of their country.
  ["+39 06 698 1234", "+39 06 698 1234"],
  ["+44 12", "+44 12"],
  // Typed by people who follow the field's label.
  ["+447700900123", "+447700900123"],
  ["+1 242-555-0100", "+1 242-555-0100"],
  // From bug reports of other products: labels, messenger links, contact list marks.
  ["+440 0 44 7700 900123", "+44 7700 900123"],
  ["+390612345678", "+390612345678"],
  ["+44\u200e+44 7700 900123", "+44 7700 900123"],
  ["+44☎ 7700 900123", "+44 7700 900123"],
  ["+44Tel: 07700 900123", "+44 7700 900123"],
  ["+4407700 900123 (mobile)", "+447700 900123 (mobile)"],
  ["+44＋４４７７００９００１２３", "+447700900123"],
  ["+44 7700/900123", "+44 7700/900123"],
  ["+49wa.me/447700900123", "+447700900123"],
  ["https://wa.me/447700900123?text=Hi%20at%2010", "+447700900123"],
  ["https://wa.me/447700900123.", "+447700900123"],
  ["wa.me/447700900123/, ", "+447700900123"],
  ["wa.me/+44 7700 900123", "+44 7700 900123"],
  ["wa.me/44-7700-900123#x", "+44 7700-900123"],
  ["https://api.whatsapp.com/send?phone=447700900123&text=Hi", "+447700900123"],
  ["https://web.whatsapp.com/send/?phone=%2B447700900123", "+447700900123"],
  ["+44whatsapp:+447700900123", "+447700900123"],
  ["+44tel:+44-7700-900-123;ext=12", "+44 7700-900-123;ext=12"],
])("the typed phone number %s is stored as %s", (typed, stored) => {
  expect(normalizePhone(typed)).toBe(stored);
});

test.each([
  ["+44 07700 900123", "+447700900123"],
  ["0044 20 7946 0000", "+442079460000"],
  ["(+44) 20 7946 0000", "+442079460000"],
  ["+4907700900123", "+497700900123"],
  ["+39 06 698 1234", "+39066981234"],
  ["+379 06 698 1234", "+379066981234"],
  // Typed by people in the same country.
  ["07700 900123", "07700900123"],
  ["+999 0123", "+9990123"],
  ["", ""],
])("the stored phone number %s is dialed as %s", (typed, number) => {
  expect(readDialedNumber(typed)).toBe(number);
});

test("an extension isn't dialed with the number", () => {
  for (const typed of ["+44 20 7946 0000 ext. 12", "+44 20 7946 0000x12", "+44 20 7946 0000,,12"])
    expect(parseDialableNumber(typed)).toEqual({ number: "+442079460000", extensionDigits: "12" });
});

describe("the example phone numbers of all countries", () => {
  const each = COUNTRIES.map(({ code, dial }) => {
    const example = getExampleNumber(code as CountryCode, examples as Examples);
    return [code, dial, assertDefined(example, `number of ${code}`)] as const;
  });
  const NOTATIONS: Record<string, (dial: string, example: PhoneNumber) => string> = {
    nationally: (dial, example) => dial + example.formatNational(),
    "behind the prefix": (dial, example) => dial + example.nationalNumber,
    internationally: (dial, example) => dial + example.formatInternational(),
    "with 00": (dial, example) => dial + example.formatInternational().replace("+", "00"),
    "with brackets": (dial, example) =>
      dial + example.formatInternational().replace(/\+\d+/, "($&)"),
    "behind another country's prefix": (dial, example) =>
      `${dial === "+44" ? "+49" : "+44"}${example.formatInternational()}`,
    "by a program": (_, example) => example.number,
  };
  test("exist for 245 countries", () => expect(each).toHaveLength(245));
  test.each(Object.keys(NOTATIONS))("are dialed correctly when they are written %s", (writing) => {
    for (const [code, dial, example] of each) {
      const typed = assertDefined(NOTATIONS[writing], "a writing")(dial, example);
      const stored = normalizePhone(typed);
      expect([code, typed, readDialedNumber(stored)]).toEqual([code, typed, example.number]);
      expect([code, stored.startsWith(dial)]).toEqual([code, true]);
      expect(normalizePhone(stored)).toBe(stored);
    }
  });
});
