/** The owner's routes for letters: write, preview, test, send, pause, read the result. */
import { mailDomainOf } from "../shared/mailbox.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import { checkChange } from "../../schema/entities/check.ts";
import { boundedText } from "../../schema/core/boundedText.ts";
import { emailSchema } from "../../schema/core/email.ts";
import { entities } from "../../schema/index.ts";
import { audienceSchema } from "../../schema/people/letters.ts";
import type { AccessGuard, Proof, SessionUser } from "../accounts/guard.ts";
import { DASHBOARD_JSON, readChecked, readJson } from "../http/body.ts";
import { etagOf, requireIfMatch } from "../http/conditional.ts";
import { isoTime } from "../shared/clock.ts";
import { conflict, noLongerExists, invalid } from "../shared/errors.ts";
import type { HandleOf } from "../storage/store.ts";
import { audienceOf } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import { detailOf, lettersState, summaryOf } from "./letterState.ts";
import { parseSendError } from "./refusals.ts";
import type { LetterSender } from "./sending.ts";
import {
  BLANK,
  type Letter,
  letterFields,
  sendProblem,
  testProblem,
  letterRenderer,
} from "./writeLetter.ts";

export interface LetterRoutesContext extends LettersContext {
  readonly guard: AccessGuard;
  readonly proof: Proof;
  /** Throws if this session may not send a test to an address. */
  readonly sessionMail: { test(owner: SessionUser, to: string): void };
  readonly sending: LetterSender;
  /** Sanitizes rich text before it is stored. */
  readonly cleanHtml: (html: string) => string;
  /** The path of a letter's page; undefined without one. */
  readonly pageOf: (letter: Letter) => string | undefined;
}

/**
 * GET, POST `/api/letters`; POST `…/settings`, `…/preview`, `…/audience`; GET, PUT, DELETE `…/{id}`; POST
 * `…/{id}/test`, `…/send`, `…/pause`, `…/resume`, `…/cancel`, `…/publish`. Whatever causes letters or welcomes to be
 * sent needs a proof: sending, resuming, settings.
 */
export function letterRoutes(context: LetterRoutesContext): AnyElysia {
  const desk = new LetterDesk(context);
  return new Elysia({ prefix: "/api/letters" })
    .use(writingRoutes(context, desk))
    .use(draftRoutes(context, desk))
    .use(sendingRoutes(context, desk))
    .use(stepRoutes(context, desk));
}

/** The operations of the routes on a letter. */
class LetterDesk {
  readonly #context: LetterRoutesContext;
  readonly #letters: HandleOf<typeof entities.letters>;

  constructor(context: LetterRoutesContext) {
    this.#context = context;
    this.#letters = context.store.of(entities.letters);
  }

  /** Throws a 404. */
  async find(id: string): Promise<Letter> {
    const letter = await this.#letters.get(id);
    if (!letter) throw noLongerExists(entities.letters);
    return letter;
  }

  /** Throws a 404. */
  async change(id: string, make: (letter: Letter) => Letter): Promise<Letter> {
    const changed = await this.#letters.update(id, make);
    if (!changed) throw noLongerExists(entities.letters);
    return changed;
  }

  detail(letter: Letter) {
    return detailOf(this.#context, letter);
  }

  write(letter: Letter) {
    const { mail, pageOf } = this.#context;
    const { postalAddress } = this.#settings();
    return letterRenderer(letter, { site: mail.stationery(), postalAddress, page: pageOf(letter) });
  }

  /** Throws a 409 with what is missing. */
  requireReady(letter: Letter, problemOf: typeof sendProblem = sendProblem): void {
    const { mail } = this.#context;
    const { siteUrl } = mail.stationery();
    const hasMail = mail.account() !== undefined;
    const why = problemOf(letter, {
      hasMail,
      siteUrl,
      postalAddress: this.#settings().postalAddress,
    });
    if (why) throw conflict(why);
  }

  async fieldsIn(request: Request) {
    return letterFields(await readJson(request, DASHBOARD_JSON), this.#context.cleanHtml);
  }

  draft(fields: Partial<Letter>): Letter {
    const now = isoTime(this.#context.clock);
    return { ...BLANK, ...fields, id: Bun.randomUUIDv7(), createdAt: now, changedAt: now };
  }

  /** Sends a test now, past the outbox. Throws a 409 with the refusal. */
  async sendTest(letter: Letter, to: string): Promise<void> {
    const { mail } = this.#context;
    const copy = this.write(letter)({ name: EXAMPLE, leave: "/unsubscribe" });
    const domain = mailDomainOf(assertDefined(mail.account(), "mail account").from.address);
    const messageId = `<${Bun.randomUUIDv7()}@${domain}>`;
    const subject = `Test: ${copy.subject}`;
    const send = assertDefined(mail.directSender(), "mail account");
    try {
      await send({ ...copy, subject, to, messageId, replyTo: null });
    } catch (error) {
      const { message, reply } = parseSendError(error, to);
      throw conflict(reply ? `${message} ("${reply}")` : message);
    }
  }

  readonly #settings = () => this.#context.store.of(entities.letterSettings).read().value;
}

function writingRoutes(context: LetterRoutesContext, desk: LetterDesk) {
  const { store, guard, proof } = context;
  const letters = store.of(entities.letters);
  const settings = store.of(entities.letterSettings);
  return new Elysia()
    .use(guard)
    .get("", () => lettersState(context), { owner: true })
    .post(
      "",
      async ({ request, set }) => {
        const letter = await letters.insert(desk.draft(await desk.fieldsIn(request)));
        set.status = 201;
        return desk.detail(letter);
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/settings",
      async ({ request, owner, happened }) => {
        // The welcome's text is sent to any address that somebody types.
        proof.require(owner);
        const checked = checkChange(
          entities.letterSettings,
          await readJson(request, DASHBOARD_JSON),
        );
        if (!checked.ok) throw invalid(checked.error, checked.fields);
        await settings.update((value) => ({ ...value, ...checked.values }));
        happened("settings", "changed the newsletter settings");
        return (await lettersState(context)).settings;
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/preview",
      async ({ request }) => {
        const { html } = desk.write(desk.draft(await desk.fieldsIn(request)))({
          name: EXAMPLE,
          leave: "#",
        });
        return { html, size: Buffer.byteLength(html) };
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/audience",
      async ({ request }) => {
        const { audience } = await readChecked(audienceBody, request, "audience");
        return { count: (await audienceOf(store, audience)).length };
      },
      { owner: true, parse: "none" },
    );
}

function draftRoutes({ bin, clock, guard, sending }: LetterRoutesContext, desk: LetterDesk) {
  return new Elysia()
    .use(guard)
    .get(
      "/:id",
      async ({ params: { id }, set }) => {
        const letter = await desk.find(id);
        set.headers.etag = etagOf(textOf(letter));
        return desk.detail(letter);
      },
      { owner: true },
    )
    .put(
      "/:id",
      async ({ request, params: { id }, set }) => {
        const fields = await desk.fieldsIn(request);
        const letter = await desk.change(id, (now) => {
          const next = { ...now, ...fields };
          if (Bun.deepEquals(next, now)) return now;
          if (now.state !== "draft") throw conflict(BEING_SENT);
          requireIfMatch(request, textOf(now));
          return { ...next, tested: null, changedAt: isoTime(clock) };
        });
        set.headers.etag = etagOf(textOf(letter));
        return desk.detail(letter);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/:id",
      async ({ params: { id }, set, happened }) => {
        await bin.discard(entities.letters, async (transaction) => {
          const letter = await transaction.of(entities.letters).delete(id);
          if (!letter) throw noLongerExists(entities.letters);
          if (["sending", "scheduled"].includes(letter.state)) throw conflict(STOP_FIRST);
          // A restored letter never resumes automatically.
          return letter.state === "paused" ? { ...letter, state: "draft" } : letter;
        });
        await sending.removeLetter(id);
        happened("data", "deleted a newsletter");
        set.status = 204;
      },
      { owner: true },
    );
}

function sendingRoutes(context: LetterRoutesContext, desk: LetterDesk) {
  const { store, clock, trustedClock = clock, guard, proof, sessionMail, sending } = context;
  return new Elysia()
    .use(guard)
    .post(
      "/:id/test",
      async ({ request, params: { id }, owner }) => {
        const letter = await desk.find(id);
        const { to = owner.email } = await readChecked(testBody, request, "to");
        desk.requireReady(letter, testProblem);
        sessionMail.test(owner, to);
        await desk.sendTest(letter, to);
        const tested = { to, at: isoTime(clock) };
        // Not if the letter was changed in the meantime.
        return desk.detail(
          await desk.change(id, (now) =>
            now.changedAt === letter.changedAt ? { ...now, tested } : now,
          ),
        );
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/:id/send",
      async ({ request, params: { id }, owner, happened }) => {
        proof.require(owner);
        const { audience, at } = await readChecked(sendBody, request, "audience");
        if (at !== undefined && Date.parse(at) < trustedClock())
          throw invalid(IN_THE_PAST, { at: IN_THE_PAST });
        if ((await audienceOf(store, audience)).length === 0) throw conflict(TO_NOBODY);
        const sendAt = at === undefined ? isoTime(trustedClock) : new Date(at).toISOString();
        const letter = await desk.change(id, (now) => {
          if (now.state !== "draft") throw conflict(BEING_SENT);
          desk.requireReady(now);
          return { ...now, state: "scheduled", audience, sendAt, problem: null };
        });
        happened("settings", at === undefined ? "sent a newsletter" : "scheduled a newsletter");
        sending.wake();
        return desk.detail(letter);
      },
      { owner: true, parse: "none" },
    );
}

/** Pause, resume, cancel, publish. */
function stepRoutes(context: LetterRoutesContext, desk: LetterDesk) {
  const { clock, trustedClock = clock, guard, proof, sending } = context;
  const pausable = new Elysia().use(guard);
  for (const [action, { from, to, entry }] of Object.entries(STEPS))
    pausable.post(
      `/:id/${action}`,
      async ({ params: { id }, owner, happened }) => {
        if (to === "sending") proof.require(owner);
        const now = isoTime(trustedClock);
        const letter = await desk.change(id, (each) => {
          if (!from.some((state) => state === each.state)) throw conflict(NOT_NOW);
          return { ...each, state: to, problem: null, ...(to === "sending" && { sendAt: now }) };
        });
        if (to === "sending") await sending.resume(id);
        sending.wake();
        happened("settings", entry);
        return desk.detail(letter);
      },
      { owner: true, parse: "none" },
    );
  pausable.post(
    "/:id/publish",
    async ({ request, params: { id } }) => {
      const { isPublic } = await readChecked(publishBody, request, "isPublic");
      return summaryOf(context, await desk.change(id, (letter) => ({ ...letter, isPublic })));
    },
    { owner: true, parse: "none" },
  );
  return pausable;
}

/** The fields that two windows could overwrite; the ETag covers only this, not the letter's progress. */
const textOf = ({ subject, preview, body, buttonText, buttonLink }: Letter) => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});

/** The owner's actions on a letter being sent. */
const STEPS = {
  pause: { from: ["sending"], to: "paused", entry: "paused a newsletter" },
  resume: { from: ["paused"], to: "sending", entry: "resumed a newsletter" },
  cancel: { from: ["scheduled"], to: "draft", entry: "canceled a scheduled newsletter" },
} as const;

/** Stands for a reader's name in previews. */
const EXAMPLE = "Priya";

const BEING_SENT = "This newsletter is being sent, so it can no longer be changed.";
const STOP_FIRST = "This newsletter is being sent. Pause it first.";
const NOT_NOW = "This newsletter has changed since you loaded it. Reload it.";
const IN_THE_PAST = "Choose a time in the future.";
const TO_NOBODY = "This newsletter has no recipients. Choose a different group.";

const audienceBody = v.object({ audience: audienceSchema });
const testBody = v.object({ to: v.optional(emailSchema) });
const sendBody = v.object({
  audience: audienceSchema,
  at: v.optional(v.pipe(boundedText(40, IN_THE_PAST), v.isoTimestamp(IN_THE_PAST))),
});
const publishBody = v.object({ isPublic: v.boolean() });
