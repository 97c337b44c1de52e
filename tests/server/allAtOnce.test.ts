/**
 * A transaction is complete or absent after a crash at any time: at each of its first moments, and at every ninth of
 * the checkpoint that follows; `EVERY=1` tries all.
 */
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { readdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { allEntities, entities } from "../../src/schema/index.ts";
import { restoreValues } from "../../src/server/content/history.ts";
import { openStore } from "../../src/server/storage/files/openStore.ts";
import type { Store } from "../../src/server/storage/store.ts";
import { addForm, ANSWERS, createEnquiry } from "../support/enquirySite.ts";
import { deleteClosedEnquiries } from "../../src/server/visitors/closedEnquiries.ts";
import { type Client, waitForValue, type Site, startSite } from "../support/testSite.ts";
import { createCutDisk } from "../support/cutDisk.ts";

const CUT_STEP = Number(process.env["EVERY"] ?? 9);
const EVE = "eve@example.com";

interface Case {
  /** Prepares the state before `act`. */
  readonly prepare?: (site: Site, owner: Client) => Promise<unknown>;
  readonly act: (site: Site, owner: Client) => Promise<unknown>;
  /** The number of states during `act`, the first and the last included; default: these two. */
  readonly states?: number;
}

const sendStory = (story: string) => (site: Site) =>
  site.visitor().post("/api/form-submissions", createEnquiry({ ...ANSWERS, email: EVE, story }));
const sendEnquiry = sendStory("A story");
const readFirstId = async (owner: Client, path: string): Promise<string> =>
  (await owner.get(path)).body[0].id;
const SUBMISSIONS_PATH = "/api/form-submissions";
const addNumber = (_: Site, owner: Client) =>
  owner.post("/api/statistics", { value: "7", label: "Shows" });
const subscribe = (site: Site) => site.visitor().post("/api/email-subscriptions", { email: EVE });

/** The message for a new subscriber is written, or skipped as needless, some time after the response. */
const subscribeAndWait = async (site: Site) => {
  await subscribe(site);
  await waitForValue(() => site.store.of(entities.emailSubscriptions).count({ owed: null }), 1);
};

/** Deletes the first of a list. */
const deleteFirst =
  (list: string, path = list) =>
  async (_: Site, owner: Client) =>
    owner.delete(`${path}/${await readFirstId(owner, list)}`);
const findBinItem = (_: Site, owner: Client) => readFirstId(owner, "/api/bin");
const restoreFirst = async (site: Site, owner: Client) =>
  owner.post(`/api/bin/${await findBinItem(site, owner)}/restore`);
const purgeFirst = async (site: Site, owner: Client) =>
  owner.delete(`/api/bin/${await findBinItem(site, owner)}`);

const runInOrder =
  (...steps: Case["act"][]) =>
  async (site: Site, owner: Client) => {
    for (const step of steps) await step(site, owner);
  };

const deleteForm = (_: Site, owner: Client) => owner.delete("/api/forms/form");
const deleteNumber = deleteFirst("/api/statistics");
const deleteEnquiry = deleteFirst(`${SUBMISSIONS_PATH}/form`, SUBMISSIONS_PATH);
const deleteSubscription = deleteFirst("/api/email-subscriptions");

let invitation = "";
const invite = async (_: Site, owner: Client) => {
  const invited = { email: EVE, role: "editor" };
  const { body } = await owner.post("/api/invitations", invited);
  [, invitation = ""] = body.path.split("#token=");
};
const joinByInvitation = (site: Site) =>
  site
    .visitor()
    .post("/api/join", { token: invitation, username: "eve", password: "quiet rows of velvet" });

let testimonialPath = "";
const postTestimonial = (site: Site, fields: Record<string, string>) =>
  site.visitor().post(testimonialPath, new URLSearchParams(fields).toString(), {
    "content-type": "application/x-www-form-urlencoded",
  });
const requestTestimonial = async (_: Site, owner: Client) => {
  await owner.post("/api/extras", { on: ["testimonials"] });
  const { body: invited } = await owner.post("/api/testimonial-requests", {});
  const { body } = await owner.get(`/api/testimonial-requests/${invited.id}/link`);
  testimonialPath = body.link.replace(/^https?:\/\/[^/]+/, "");
};
const writeTestimonial = (site: Site) =>
  postTestimonial(site, { words: "So funny", name: "Eve", agreed: "yes" });

const CASES: Readonly<Record<string, Case>> = {
  "an enquiry and the messages about it": { act: sendEnquiry },
  "a reply and its message": {
    prepare: sendEnquiry,
    act: async (_, owner) =>
      owner.post(
        `${SUBMISSIONS_PATH}/${await readFirstId(owner, `${SUBMISSIONS_PATH}/form`)}/replies`,
        {
          subject: "Re: Train with me",
          text: "Dear Eve",
        },
      ),
  },
  "joining the mailing list, then its message and that it is owed no more": {
    act: async (site) => {
      await subscribe(site);
      const messages = site.store.of(entities.outbox);
      await waitForValue(() => messages.count({ kind: "confirm" }), 1);
    },
    states: 3,
  },
  "leaving the mailing list, of the bin as well": {
    prepare: runInOrder(subscribeAndWait, deleteSubscription, subscribeAndWait),
    act: async (site) => {
      await site.visitor().post("/api/email-subscriptions/unsubscribe", { email: EVE });
    },
  },
  "joining by an invitation, and that it is used up": { prepare: invite, act: joinByInvitation },
  "the deletion of an item of a list": { prepare: addNumber, act: deleteNumber },
  "the deletion of an enquiry": { prepare: sendEnquiry, act: deleteEnquiry },
  "an item that is put back": { prepare: runInOrder(addNumber, deleteNumber), act: restoreFirst },
  "an enquiry that is put back": {
    prepare: runInOrder(sendEnquiry, deleteEnquiry),
    act: restoreFirst,
  },
  "a form that goes for good, with all that belongs to it": {
    prepare: runInOrder(sendEnquiry, (_, owner) => owner.delete("/api/form-steps/two"), deleteForm),
    act: purgeFirst,
  },
  "an earlier version of a list that brings back what is in the bin": {
    prepare: runInOrder(addNumber, deleteNumber),
    act: async (_, owner) => {
      const { body } = await owner.get("/api/history/statistics");
      return owner.post(`/api/history/statistics/${body[1].revision}/restore`);
    },
  },
  "a section of several lists that is brought back": {
    prepare: runInOrder(deleteForm, (site) =>
      Promise.all([
        site.store.of(entities.formSteps).update(() => []),
        site.store.of(entities.formFields).update(() => []),
      ]),
    ),
    act: ({ bin, store }) =>
      restoreValues(
        { bin, clock: Date.now },
        new Map<(typeof entities)["forms" | "formSteps" | "formFields"], unknown>([
          [entities.forms, [{ ...getInitialValues(entities.forms.fields), id: "form" }]],
          [entities.formSteps, [STEP]],
          [entities.formFields, [FIELD]],
        ]),
        store.of(entities.erasureMark).read().revision,
      ),
  },
  "words by a link, that the link is used, and the messages about it": {
    prepare: requestTestimonial,
    act: writeTestimonial,
  },
  "words that are taken back: out of their list, in the bin, noted at their link, and the messages about it":
    {
      prepare: runInOrder(requestTestimonial, writeTestimonial),
      act: (site) => postTestimonial(site, { do: "take-back" }),
    },
  "closed enquiries that are deleted after a time, and their entry in the activity": {
    prepare: runInOrder(sendEnquiry, async ({ store }) => {
      const closed = { stage: "closed", createdAt: "2024-01-01T00:00:00.000Z" } as const;
      await store.of(entities.formSubmissions).updateWhere({}, (each) => ({ ...each, ...closed }));
      await store
        .of(entities.forms)
        .update((forms) => forms.map((form) => ({ ...form, deleteAfter: "6" as const })));
    }),
    act: (site) => deleteClosedEnquiries({ ...site, clock: Date.now }, async () => true),
  },
  "several sections that are saved at once": {
    act: (_, owner) =>
      owner.post("/api/batch", {
        changes: SECTIONS.map((key) => ({
          name: entities[key].name,
          values: { accentColor: "#123456" },
        })),
      }),
  },
  "the erasure of a person over all lists, the bin, the outbox and the audit log": {
    prepare: runInOrder(
      // Otherwise the pending message could be written during the erasure.
      subscribeAndWait,
      sendStory("The first"),
      sendStory("The second"),
      deleteEnquiry,
      (site) => site.visitor().post("/api/auth/login", { username: EVE, password: "wrong" }),
      async (site) => site.waitForAuditLog(),
    ),
    act: (_, owner) => owner.post("/api/people/erase", { email: EVE }),
  },
};

const SECTIONS = ["styles", "pressSettings", "connectSettings"] as const;

const STEP = { ...getInitialValues(entities.formSteps.fields), id: "new step", formId: "form" };
const FIELD = { ...getInitialValues(entities.formFields.fields), id: "new field", stepId: STEP.id };

/** Reads the stored state without what the site itself changes meanwhile. */
async function readState(store: Store): Promise<string> {
  const idsIn = (entity: typeof entities.forms) =>
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id);
  const lists = ["statistics", "uploads", "forms", "formSteps", "formFields"] as const;
  const messages = await Array.fromAsync(store.of(entities.outbox).scan());
  const subscriptions = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
  const enquiries = await Array.fromAsync(store.of(entities.formSubmissions).scan());
  const binned = await Array.fromAsync(store.of(entities.bin).scan());
  const entries = await Array.fromAsync(store.of(entities.auditLog).scan());
  return JSON.stringify([
    lists.map((key) => idsIn(entities[key] as typeof entities.forms)),
    idsIn(entities.testimonials as unknown as typeof entities.forms),
    store
      .of(entities.testimonialRequests)
      .read()
      .value.map(({ usedAt, takenBackAt }) => [usedAt !== null, takenBackAt !== null]),
    SECTIONS.map((key) => store.of(entities[key]).read().value.accentColor),
    messages.map(({ kind, to, about }) => [kind, to, about]).sort(),
    subscriptions.map(({ id, status, owed }) => [id, status, owed]),
    enquiries.map(({ id, replies }) => [id, replies.length]),
    binned.map(({ id, item }) => [id, (item as { status?: string }).status]),
    (await store.of(entities.erasedEnquiries).readKeys()).map(({ id }) => id),
    store.of(entities.erasureMark).read().value.seen !== null,
    store.of(entities.users).read().value.length,
    store.of(entities.invitations).read().value.length,
    entries.filter(({ what, who }) => `${what}${who}`.includes(EVE)).length > 0,
    entries.filter(({ what }) => /^deleted \d+ closed/.test(what)).length,
  ]);
}

const isJournal = (name: string) => /^journal-\d+\.jsonl$/.test(name);

async function readStoredState(directory: string): Promise<string> {
  const store = await openStore({ directory, entities: allEntities, log: () => {} });
  try {
    return await readState(store);
  } finally {
    await store.close();
  }
}

/** A copy whose last line was only half written; undefined if the last write wasn't a line. */
async function tearJournals(directory: string, before: ReadonlyMap<string, number>) {
  const now = await readJournalSizes(directory);
  const longer = [...now].filter(([name, size]) => size > (before.get(name) ?? size));
  if (now.size > 1 || longer.length === 0) return undefined;
  const copy = `${directory} torn`;
  cpSync(directory, copy, { recursive: true });
  for (const [name, size] of longer) await truncate(join(copy, name), size - 10);
  return copy;
}

async function readJournalSizes(directory: string): Promise<Map<string, number>> {
  const names = (await readdir(directory)).filter(isJournal);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, (await stat(join(directory, name))).size] as const),
    ),
  );
}

test.each(Object.entries(CASES))(
  "after a crash at any moment an action is stored completely or not at all: %s",
  async (_, { prepare, act, states = 2 }) => {
    const { cuts, cut, disk, during, remove } = await createCutDisk(() => site.dataDir);
    const mail = { MAIL_URL: "smtp://127.0.0.1:1", MAIL_FROM: "Vera <site@example.com>" };
    const env = { RATE_LIMIT: "off", ...mail };
    const site = await startSite({ disk, hasAddress: true, env });
    try {
      await addForm(site.store);
      await site.store
        .of(entities.forms)
        .update((forms) => forms.map((form) => ({ ...form, thanksMail: true })));
      const webhook = { url: "http://127.0.0.1:1/", sealedSecret: "x", since: "2020-01-01" };
      await site.store.of(entities.mailSettings).update((value) => ({ ...value, webhook }));
      const owner = await site.owner();
      await prepare?.(site, owner);
      await site.mail.queueDueMessages();
      await site.waitForAuditLog();
      await site.store.purgeOldVersions();
      const before = await readState(site.store);
      const lengths = await readJournalSizes(site.dataDir);
      const done = await during(async () => {
        await act(site, owner);
        const state = await readState(site.store);
        await site.store.purgeOldVersions();
        return state;
      });
      cut();
      expect(done).not.toBe(before);

      const seen = new Set<string>();
      const isTried = (at: number) => at < 9 || at % CUT_STEP === 0 || at === cuts.length - 1;
      for (const each of cuts.filter((_, at) => isTried(at))) {
        const half = await tearJournals(each, lengths);
        if (half) seen.add(await readStoredState(half));
        seen.add(await readStoredState(each));
      }
      expect([...seen]).toEqual(expect.arrayContaining([before, done]));
      expect([...seen]).toHaveLength(states);
    } finally {
      await site.stop();
      await remove();
    }
  },
  120_000,
);
