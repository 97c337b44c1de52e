/**
 * Cases from public bug reports about other products, each with the reported input and the result here. Cases that need
 * a browser are in `reportedCases.browser.test.ts`, or in the test that `BROWSER_TESTS` names.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { decode } from "fast-png";
import Papa from "papaparse";
import { checkNewItem } from "../src/schema/entities/check.ts";
import { entities } from "../src/schema/index.ts";
import type { FieldType } from "../src/schema/enquiry/questions.ts";
import { parseVideo } from "../src/schema/sections/videoAddress.ts";
import { createPasswords } from "../src/server/accounts/passwords.ts";
import { parseMailUrl } from "../src/server/shared/mailUrl.ts";
import { acceptImage } from "../src/server/uploads/acceptImage.ts";
import { createCsvFormatter } from "../src/web/admin/data/csv.ts";
import { readCalendarEntries } from "./support/callSite.ts";
import { makeForm } from "./support/enquiryForm.ts";
import { type LetterSite, startLetterSite, LETTER } from "./support/letterSite.ts";
import {
  BROWSER_TESTS,
  readCaseBytes,
  readCaseLines,
  listCaseNames,
  SKIP_REASON,
  readCaseText,
  HAS_CASES,
} from "./support/reportedCases.ts";
import { type Site, startSite } from "./support/startSite.ts";
import { waitForValue } from "./support/waits.ts";

let site: Site;
let letters: LetterSite;
const KINDS = ["text", "textarea", "email", "link", "number", "phone", "international_phone"];
/** The questions' ids by kind. The form has one question of each of these kinds. */
let questions: Record<string, string>;
let formId: string;

beforeAll(async () => {
  if (!HAS_CASES) return;
  site = await startSite({
    env: { RATE_LIMIT: "off", SITE_URL: "http://example.test" },
  });
  letters = await startLetterSite();
  await letters.reset();
  const fields = KINDS.map((kind) => [kind as FieldType, kind] as const);
  const made = await makeForm(letters.site, "Enquiry", fields);
  ({ formId } = made);
  questions = Object.fromEntries(KINDS.map((kind, at) => [kind, made.ids[at]!]));
});
afterAll(async () => {
  await letters?.stop();
  await site?.stop();
});

/** Sends an answer as a visitor. Returns its stored form, or the refusal. */
async function submitAnswer(kind: string, answer: string): Promise<unknown> {
  const body = { formId, data: { [questions[kind]!]: answer } };
  const sent = await letters.site.visitor().post("/api/form-submissions", body);
  if (sent.status !== 201) return { refused: sent.body.error };
  const all = await letters.site.asOwner("GET", `/api/form-submissions/${formId}`);
  return all.find((each: { id: string }) => each.id === sent.body.id).questions[0].answer;
}
const submitAnswers = (kind: string, answers: readonly string[]) =>
  Promise.all(answers.map((answer) => submitAnswer(kind, answer)));

interface CaseResult {
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Sends a phone number with a dial prefix, as the form does. */
const submitWithPrefix = (prefix: string, typed: string) =>
  submitAnswer("international_phone", prefix + typed);

const CASES: Readonly<Record<string, (name: string) => Promise<CaseResult>>> = {
  "F08-phone-from-contacts": async (name) => ({
    expected: "+44 7700 900123",
    actual: await submitWithPrefix("+44", readCaseText(name)),
  }),
  "F09-phone-00": async (name) => ({
    expected: ["+44 7700 900123", "+49 151 12345678"],
    actual: await Promise.all(readCaseLines(name).map((typed) => submitWithPrefix("+44", typed))),
  }),
  "F12-phone-extension": async (name) => ({
    expected: readCaseLines(name),
    actual: await submitAnswers("phone", readCaseLines(name)),
  }),
  "F13-other-digits": async (name) => ({
    expected: ["012345678", "012345678", "090-1234-5678", "50"],
    actual: await (async () => {
      const lines = readCaseLines(name);
      return [
        ...(await submitAnswers("phone", lines.slice(0, 3))),
        await submitAnswer("number", lines[3]!),
      ];
    })(),
  }),
  "F14-decimal-comma": async (name) => ({
    expected: ["1.5", "1500", "1500", "500"],
    actual: await submitAnswers("number", readCaseLines(name)),
  }),
  "F15-vertical-tab": async (name) => {
    const typed = readCaseText(name);
    await letters.site.asOwner("POST", "/api/hero", { mainTitle: typed });
    const { mainTitle } = await letters.site.asOwner("GET", "/api/hero");
    const content = `<p>${typed}\0 end</p>`;
    await letters.site.asOwner("POST", "/api/about", { content });
    const about = await letters.site.asOwner("GET", "/api/about");
    return {
      expected: ["one\ntwo", "one\ntwo", "<p>one<br />two end</p>"],
      actual: [
        await submitAnswer("textarea", typed),
        mainTitle,
        about.content.replace("\ufffd", ""),
      ],
    };
  },
  "F17-email-invisible": async (name) => {
    const lines = readCaseLines(name);
    const joined = lines.map((email) =>
      letters.site.visitor().post("/api/email-subscriptions", { email }),
    );
    return {
      expected: [...lines.map(() => "ann@example.com"), 201, 201, 201],
      actual: [
        ...(await submitAnswers("email", lines)),
        ...(await Promise.all(joined)).map(({ status }) => status),
      ],
    };
  },
  "F18-email-idn": async (name) => ({
    expected: "ann@xn--mller-kva.example",
    actual: await submitAnswer("email", readCaseText(name)),
  }),
  "F19-link-without-https": async (name) => ({
    expected: ["https://instagram.com/annlee", "https://www.example.com", "http://example.com"],
    actual: await submitAnswers("link", readCaseLines(name)),
  }),
  "F25-cmyk-profile": async (name) => ({
    expected: [],
    actual: await findDifferingPatches(readCaseBytes(name, "cmyk-adobe-inverted.jpg")),
  }),
  "F26-samsung-panorama": async (name) => ({
    expected: "image/jpeg",
    actual: (await acceptImage(readCaseBytes(name, "samsung-panorama-no-eoi.jpg"))).mimetype,
  }),
  "F32-letter-webp": async (name) => ({
    expected: ["jpg"],
    actual: await readLetterEndings(name),
  }),
  "F34-folded-header": async () => {
    await letters.addSubscriber("fold@example.com");
    await letters.sendAndWait(await letters.createTestedLetter());
    // Messages of other cases may arrive meanwhile.
    const letter = letters.arrived().find(({ to }) => to![0]!.address === "fold@example.com")!;
    const { line } = letter.headerLines.find(({ key }) => key === "list-unsubscribe")!;
    return {
      expected: "List-Unsubscribe: <https",
      actual: line.replace("<http:", "<https:").slice(0, 24),
    };
  },
  "F35-moved-date": async (name) => {
    const { then: _, ...event } = JSON.parse(readCaseText(name, "input.json"));
    await letters.site.asOwner("POST", "/api/extras", { on: ["dates"] });
    const later = { ...event, startsAt: event.startsAt.replace("2027", "2099") };
    const { id } = await letters.site.asOwner("POST", "/api/events", later);
    const entries = [await readCalendarEntry(id)];
    for (const step of [{ startsAt: "2099-04-02T20:00" }, { status: "cancelled" }]) {
      await letters.site.asOwner("PUT", `/api/events/${id}`, step); // oxlint-disable-line no-await-in-loop
      entries.push(await readCalendarEntry(id)); // oxlint-disable-line no-await-in-loop
    }
    const stamps = new Set(entries.map(({ stamp }) => stamp));
    const rises = entries.every(
      ({ sequence }, at) => at === 0 || sequence > entries[at - 1]!.sequence,
    );
    return { expected: [3, true, "CANCELLED"], actual: [stamps.size, rises, entries[2]!.status] };
  },
  "F36-csv-apostrophes": async (name) => ({
    expected: readCaseLines(name),
    actual: exportCells(readCaseLines(name)),
  }),
  "F38-video-owner-address": async (name) => ({
    expected: [true, true, true],
    actual: await Promise.all(readCaseLines(name).map(isPlayedOrRefused)),
  }),
  "F39-wrong-host": async (name) => {
    const hosts = readCaseLines(name).map((line) => line.replace("Host: ", ""));
    const pages = await Promise.all(
      hosts.map((host) => site.visitor().get("/", { host, accept: "text/html" })),
    );
    const isReadable = pages.map(({ headers }) => headers.get("content-type"));
    const lines = site.log.filter((line) => line.includes("SITE_URL")).length;
    const html = "text/html; charset=utf-8";
    return {
      expected: [200, 421, html, html, 1],
      actual: [...pages.map(({ status }) => status), ...isReadable, lines],
    };
  },
  "F40-honeypot-no-script": async (name) => {
    const [field = "", value = ""] = readCaseText(name).split("=", 2);
    const response = await letters.site.visitor().post(
      "/coaching",
      new URLSearchParams({
        formId,
        action: "submit",
        step: "0",
        [questions["text"]!]: "Ann Lee",
        [field]: value,
      }).toString(),
      { "content-type": "application/x-www-form-urlencoded" },
    );
    return {
      expected: [422, true, true],
      actual: [
        response.status,
        response.text.includes("A hidden field was filled in"),
        response.text.includes("Ann Lee"),
      ],
    };
  },
  "F43-mail-url-characters": async (name) => ({
    expected: ["%23", "%2F", "%3F"].map(() => "Write %23, %2F or %3F in its place"),
    actual: readCaseLines(name).map(
      (url) => /Write .* in its place/.exec(readSettingRefusal(url))?.[0],
    ),
  }),
  "P02-second-picture": async (name) => {
    const { width, height, bytes } = await acceptImage(readCaseBytes(name, "mpo.mpo.jpg"));
    const isLast = Buffer.from(bytes).lastIndexOf(Buffer.from([0xff, 0xd8, 0xff])) === 0;
    return { expected: [true, true], actual: [width > 0 && height > 0, isLast] };
  },
  "P04-turned": async (name) => {
    const files = ["exif6.jpg", "exif6.webp", "png-exif6.png"];
    const accepted = await Promise.all(files.map((file) => acceptImage(readCaseBytes(name, file))));
    return {
      expected: files.map(() => [480, 640]),
      actual: accepted.map(({ width, height }) => [width, height]),
    };
  },
  "P12-login-typing": async (name) => {
    const [composed = "", decomposed = ""] = readCaseText(name).split(" / ");
    const { visitor } = letters.site;
    const logins = ["ada", "ADA", " ada ", "Ada@Example.com"];
    const statuses = await Promise.all(
      logins.map(async (username) => {
        const login = { username, password: "velvet curtain nine" };
        return (await visitor().post("/api/auth/login", login)).status;
      }),
    );
    return {
      expected: [...logins.map(() => 200), true],
      actual: [
        ...statuses,
        await isSamePassword(`${composed} curtain nine`, `${decomposed} curtain nine`),
      ],
    };
  },
  "P16-percent": async (name) => {
    const paths = readCaseLines(name);
    const all = await Promise.all(paths.map((path) => letters.site.visitor().get(path)));
    return { expected: [], actual: all.filter(({ status }) => ![200, 400, 404].includes(status)) };
  },
  "P20-videos": async (name) => ({
    expected: readCaseLines(name).map(() => true),
    actual: readCaseLines(name).map((address) => parseVideo(address) !== undefined),
  }),
  "P21-dmarc": async () => {
    await submitAnswer("email", "visitor@example.org");
    // Messages about the submissions of other cases may arrive in between.
    const find = () =>
      letters.server.received.find(
        ({ subject, text }) =>
          subject?.startsWith("New submission") && text?.includes("visitor@example.org"),
      );
    await waitForValue(() => find() !== undefined, true);
    return {
      expected: ["site@example.com", "visitor@example.org"],
      actual: [find()?.from?.address, find()?.replyTo?.[0]?.address],
    };
  },
  "P22-at-in-username": async (name) => ({
    expected: [
      ["ann@example.com", "pa55"],
      ["ann", "p@ss"],
    ],
    actual: readCaseLines(name).map((MAIL_URL) => {
      const { account, secret } = parseMailUrl(MAIL_URL);
      return [account.kind === "smtp" && account.username, secret];
    }),
  }),
};

/** The colors of six patches, converted from their profile by LittleCMS with the perceptual intent. */
const PATCHES = [
  [200, 48, 50],
  [77, 183, 77],
  [70, 77, 160],
  [231, 189, 157],
  [127, 124, 124],
  [24, 24, 24],
];

/** Returns the patches that differ by more than 12 of 255 in a channel. */
async function findDifferingPatches(sent: Uint8Array<ArrayBuffer>) {
  const { bytes } = await acceptImage(sent);
  const { data, width, height, channels } = decode(await new Bun.Image(bytes).png().bytes());
  const got = PATCHES.map((_, index) => {
    const x = Math.floor((((index % 3) + 0.5) * width) / 3);
    const y = Math.floor(((Math.floor(index / 3) + 0.5) * height) / 2);
    return [0, 1, 2].map((channel) => data[(y * width + x) * channels + channel]!);
  });
  return got.filter((patch, at) =>
    patch.some((value, channel) => Math.abs(value - PATCHES[at]![channel]!) > 12),
  );
}

/** Returns the file name endings of the pictures in a letter that shows a WebP upload. */
async function readLetterEndings(name: string): Promise<string[]> {
  const webp = await new Bun.Image(readCaseBytes(name, "plain.jpg")).webp().bytes();
  const form = new FormData();
  form.set("file", new File([new Uint8Array(webp)], "plain.webp"));
  const { url } = (await letters.owner().post("/api/upload", form)).body;
  await letters.reset();
  await letters.addSubscriber("picture@example.com");
  const body = readCaseText(name, "input.html").replace("/uploads/{id}.webp", url);
  await letters.sendAndWait(await letters.createTestedLetter({ ...LETTER, body }));
  const isLetter = ({ to }: { to?: { address?: string }[] }) =>
    to?.[0]?.address === "picture@example.com";
  const { html = "" } = letters.arrived().find(isLetter)!;
  return [...html.matchAll(/<img[^>]*src="[^"]*\.(\w+)"/g)].map(([, ending = ""]) => ending);
}

const readCalendarEntry = async (id: string) =>
  readCalendarEntries((await letters.site.visitor().get(`/dates/${id}.ics`)).text)[0]!;

function exportCells(cells: readonly string[]): string[] {
  const table = { columns: ["Answer"], createRow: (cell: string) => [cell] };
  const { header, formatRecords } = createCsvFormatter(table, ",");
  const text = (header + formatRecords([...cells])).replace(/^\uFEFF/, "");
  return Papa.parse<string[]>(text)
    .data.slice(1)
    .map(([cell = ""]) => cell);
}

function isPlayedOrRefused(url: string): boolean {
  const checked = checkNewItem(entities.videos, { title: "Reel", url, poster: "/uploads/a.jpg" });
  return checked.ok ? parseVideo(url) !== undefined : checked.error !== "";
}

function readSettingRefusal(url: string): string {
  try {
    parseMailUrl(url);
    return "";
  } catch (error) {
    return String(error);
  }
}

async function isSamePassword(set: string, typed: string): Promise<boolean> {
  const cheap = createPasswords({ memoryCost: 64, timeCost: 1 });
  return cheap.verify(typed, await cheap.hash(set));
}

test.skipIf(!HAS_CASES).each(Object.keys(CASES))(
  `the reported case %s has the expected result${HAS_CASES ? "" : ` (${SKIP_REASON})`}`,
  async (name) => {
    const { expected, actual } = await CASES[name]!(name);
    console.log(`${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    expect(actual).toEqual(expected);
  },
);

test.skipIf(!HAS_CASES)("every reported case has a test here or a browser test", async () => {
  expect(listCaseNames().filter((name) => !(name in CASES) && !(name in BROWSER_TESTS))).toEqual(
    [],
  );
  for (const [file, title] of Object.values(BROWSER_TESTS))
    expect([file, (await Bun.file(file).text()).includes(title)]).toEqual([file, true]); // oxlint-disable-line no-await-in-loop
});
