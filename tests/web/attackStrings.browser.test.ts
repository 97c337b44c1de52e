/**
 * Attack strings in every field of the owner and every answer of a visitor never run, on no page. Each field gets one
 * string; `ATTACK_ROUNDS=12` gives each string to every field.
 */
import { beforeAll, expect, test } from "bun:test";
import type { Dialog } from "playwright-core";
import { type Entity, allEntities } from "../../src/schema/index.ts";
import type { Field } from "../../src/schema/kinds/fields.ts";
import { newPage, type TestPage } from "../support/browser.ts";
import { followLink, openLoggedInPage } from "../support/dashboard.ts";
import { replaceForms } from "../support/enquiryForm.ts";
import { setUpSampleSite } from "../support/browserSite.ts";
import { waitUntilStable } from "../support/waits.ts";

/** Each would set `window.hit` if it ran as code, in a text, an attribute, a style, an address or a script. */
const STRINGS = [
  `<script>window.hit=1</script>`,
  `"><img src=x onerror="window.hit=1">`,
  `'><svg onload=window.hit=1>`,
  `</title></style></textarea></script><script>window.hit=1</script>`,
  `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `javascript:window.hit=1//`,
  `{{constructor.constructor('window.hit=1')()}}\${window.hit=1}`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>`,
  `<noscript><p title="</noscript><img src=x onerror=window.hit=1>">`,
  `\u2028window.hit=1\u2029//</script><script>window.hit=1</script>`,
  `<a href="java&#x09;script:window.hit=1" id=x>click</a><details open ontoggle=window.hit=1>`,
  `#000;}</style><script>window.hit=1</script><style>*{background:url(javascript:window.hit=1)}`,
];

const site = setUpSampleSite();
let page: TestPage;
beforeAll(async () => {
  // The credit with its link appears only if it is set.
  await site.asOwner("POST", "/api/site", { agencyName: "Agency", agencyUrl: "https://a.example" });
});

/** The part of a string that a field accepts; undefined if it holds no text. */
function createValue(
  { kind: { name: input }, setBy, maxLength = 200 }: Field,
  attack: string,
): unknown {
  if (setBy !== "client") return undefined;
  if (input === "richText") return `<p>${attack}</p>${attack}`;
  return ["text", "longText"].includes(input) ? attack.slice(0, maxLength) : undefined;
}

const ROUNDS = Number(process.env["ATTACK_ROUNDS"] ?? 1);
/** The string for a field, a different one in each round. */
const getString = (index: number, round: number) => STRINGS[(index + round) % STRINGS.length]!;

/** Puts strings into every text of the owner's content; returns the number of accepted ones. */
async function fillEverything(round: number): Promise<number> {
  const owner = await site.owner();
  let [accepted, index] = [0, 0];
  const save = async (method: "POST" | "PUT", path: string, fields: Entity["fields"]) => {
    for (const [name, field] of Object.entries(fields as Record<string, Field>)) {
      const value = createValue(field, getString(index++, round));
      if (value === undefined) continue;
      const { status } = await owner.call(method, path, { [name]: value });
      expect(status).toBeOneOf([200, 201, 422]);
      if (status < 300) accepted++;
    }
  };
  for (const entity of allEntities) {
    const path = `/api/${entity.name}`;
    if (entity.readers === "none" || entity.shape === "records") continue;
    if (entity.shape === "singleton") await save("POST", path, entity.fields);
    else if (!entity.parent) {
      const [item] = (await owner.get(path)).body as { id: string }[];
      if (item) await save("PUT", `${path}/${item.id}`, entity.fields);
    }
  }
  return accepted;
}

/** Leaving an editor that has changed its HTML opens a question, which isn't an alert of an attack. */
const recordDialogs = (dialogs: string[]) => (dialog: Dialog) => {
  if (dialog.type() !== "beforeunload") dialogs.push(dialog.message());
  void dialog.accept();
};

async function expectNothingRan(): Promise<void> {
  await waitUntilStable(page);
  expect(await page.evaluate(() => (window as { hit?: unknown }).hit)).toBeUndefined();
  const scripts = await page.locator("script", { hasText: "window.hit=1</" }).count();
  expect(scripts).toBe(0);
}

const rounds = Array.from({ length: ROUNDS }, (_, round) => [round + 1, round] as const);

test.each(rounds)(
  `attack strings in every field and in visitors' input never run as scripts (round %d of ${ROUNDS})`,
  async (_, round) => {
    expect(await fillEverything(round)).toBeGreaterThan(20);
    // Labels are shortened, but have to stay distinct.
    const labels = STRINGS.map((attack, at) => `${at} ${attack}`.slice(0, 200));
    const title = getString(0, round).slice(0, 120);
    const steps = [
      { title: getString(1, round).slice(0, 120), fields: labels.map((label) => ({ label })) },
    ];
    const form = await replaceForms(site, steps, { title, subtitle: getString(2, round) });
    const answers = labels.map((label, at) => [form.fieldIds[label]!, getString(at, round + 1)]);
    const sent = await site.visitor().post("/api/form-submissions", {
      formId: form.id,
      data: Object.fromEntries(answers),
      submittedAt: getString(3, round),
    });
    expect(sent.status).toBe(201);
    for (const [at, name] of STRINGS.entries()) {
      const joining = { email: `x${at}@example.com`, name: name.slice(0, 120) };
      await site.visitor().post("/api/email-subscriptions", joining);
    }

    page = await newPage();
    const dialogs: string[] = [];
    page.on("dialog", recordDialogs(dialogs));
    for (const path of ["/", "/coaching", "/privacy-policy"]) {
      await page.goto(site.url + path);
      await expectNothingRan();
    }
    const dashboard = await openLoggedInPage(site);
    page = dashboard;
    page.on("dialog", recordDialogs(dialogs));
    await page.goto(`${site.url}/admin/dashboard?tab=hero`);
    for (const tab of ["hero", "about", "connect", "press", "coaching", "email", "styles"]) {
      await followLink(page, `tab=${tab}`);
      await page.locator(".tab-head").waitFor();
      await expectNothingRan();
    }
    await page.goto(`${site.url}/admin/dashboard?tab=forms&sub=submissions&form=${form.id}`);
    await page.locator(".submission-head").first().click();
    await page.locator(".submission-details").first().waitFor();
    await expectNothingRan();
    expect(dialogs).toEqual([]);
  },
);
