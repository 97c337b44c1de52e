/** The owner's routes for letters. */
import { getMailDomain } from "../shared/mailbox.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { type AnyElysia, Elysia } from "elysia";
import * as v from "valibot";
import { checkChange, getInitialValues } from "../../schema/entities/check.ts";
import { boundedText } from "../../schema/core/boundedText.ts";
import { emailSchema } from "../../schema/core/email.ts";
import { entities } from "../../schema/index.ts";
import { audienceSchema } from "../../schema/people/letters.ts";
import type { AccessGuard, SessionUser } from "../accounts/guard.ts";
import { MAX_DASHBOARD_JSON_BYTES, readCheckedJson, readJson } from "../http/body.ts";
import { createEtag, assertIfMatch } from "../http/conditionalRequests.ts";
import { getTimestamp } from "../shared/clock.ts";
import { conflict, noLongerExists, invalidInput } from "../shared/errors.ts";
import type { HandleOf } from "../storage/store.ts";
import { findAudience } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import { readLetterDetail, readLettersState, readLetterSummary } from "./letterState.ts";
import { parseSendError } from "./mailRefusals.ts";
import type { LetterSender } from "./letterSender.ts";
import {
  type Letter,
  readLetterFields,
  findSendProblem,
  findTestProblem,
  createLetterRenderer,
  type LetterRenderContext,
} from "./renderLetter.ts";

export interface LetterRoutesContext extends LettersContext, LetterRenderContext {
  readonly guard: AccessGuard;
  /** Throws if a test to an address that isn't an owner's exceeds a limit or requires reauthentication. */
  readonly sessionMailLimits: { assertTestAllowed(owner: SessionUser, to: string): void };
  readonly sender: LetterSender;
  /** Sanitizes rich text before it is stored. */
  readonly cleanHtml: (html: string) => string;
}

/**
 * The routes below `/api/letters`. Sending or resuming a letter, changing the settings and sending a test to an address
 * that isn't an owner's require a confirmed password.
 */
export function createLetterRoutes(context: LetterRoutesContext): AnyElysia {
  const letters = new LetterOperations(context);
  return new Elysia({ prefix: "/api/letters" })
    .use(createWritingRoutes(context, letters))
    .use(createDraftRoutes(context, letters))
    .use(createSendingRoutes(context, letters))
    .use(createLetterActionRoutes(context, letters));
}

class LetterOperations {
  readonly #context: LetterRoutesContext;
  readonly #letters: HandleOf<typeof entities.letters>;

  constructor(context: LetterRoutesContext) {
    this.#context = context;
    this.#letters = context.store.of(entities.letters);
  }

  /** Throws a 404 if the letter doesn't exist. */
  async requireLetter(id: string): Promise<Letter> {
    const letter = await this.#letters.get(id);
    if (!letter) throw noLongerExists(entities.letters);
    return letter;
  }

  /** Throws a 404 if the letter doesn't exist. */
  async updateLetter(id: string, change: (letter: Letter) => Letter): Promise<Letter> {
    const updatedLetter = await this.#letters.update(id, change);
    if (!updatedLetter) throw noLongerExists(entities.letters);
    return updatedLetter;
  }

  readDetail(letter: Letter) {
    return readLetterDetail(this.#context, letter);
  }

  /** Renders the example copy for previews and tests. */
  renderExample(letter: Letter, unsubscribePath: string) {
    return createLetterRenderer(letter, this.#context)({ name: EXAMPLE_NAME, unsubscribePath });
  }

  /** Throws a 409 with what the letter still needs. */
  assertReady(letter: Letter, findProblem: typeof findSendProblem): void {
    const problem = findProblem(letter, this.#context);
    if (problem) throw conflict(problem);
  }

  async readFields(request: Request) {
    const input = await readJson(request, MAX_DASHBOARD_JSON_BYTES);
    return readLetterFields(input, this.#context.cleanHtml);
  }

  /** Returns a new letter from a request's body, without storing it. */
  async readDraft(request: Request): Promise<Letter> {
    const fields = await this.readFields(request);
    const now = getTimestamp(this.#context.clock);
    const initialValues = getInitialValues(entities.letters.fields);
    return { ...initialValues, ...fields, id: Bun.randomUUIDv7(), createdAt: now, changedAt: now };
  }

  /** Sends a test without the outbox. If the mail server refuses it, throws a 409 with its response. */
  async sendTest(letter: Letter, to: string): Promise<void> {
    const { mail } = this.#context;
    const copy = this.renderExample(letter, "/unsubscribe");
    const domain = getMailDomain(assertDefined(mail.getAccount(), "mail account").from.address);
    const messageId = `<${Bun.randomUUIDv7()}@${domain}>`;
    const subject = `Test: ${copy.subject}`;
    const send = assertDefined(mail.createDirectSender(), "mail account");
    try {
      await send({ ...copy, subject, to, messageId, replyTo: null });
    } catch (error) {
      const { message, response } = parseSendError(error, to);
      throw conflict(response ? `${message} ("${response}")` : message);
    }
  }
}

function createWritingRoutes(context: LetterRoutesContext, letters: LetterOperations) {
  const { store, guard } = context;
  return new Elysia()
    .use(guard)
    .get("", () => readLettersState(context), { owner: true })
    .post(
      "",
      async ({ request, set }) => {
        const letter = await store.of(entities.letters).insert(await letters.readDraft(request));
        set.status = 201;
        return letters.readDetail(letter);
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/settings",
      async ({ request, logAudit }) => {
        const { letterSettings } = entities;
        const input = await readJson(request, MAX_DASHBOARD_JSON_BYTES);
        const checked = checkChange(letterSettings, input);
        if (!checked.ok) throw invalidInput(checked.error, checked.fields);
        await store.of(letterSettings).update((value) => ({ ...value, ...checked.values }));
        logAudit("settings", "changed the newsletter settings");
        return (await readLettersState(context)).settings;
      },
      // By changing the welcome text and subscribing an address, somebody could send that address any message.
      { owner: "reauthenticated", parse: "none" },
    )
    .post(
      "/preview",
      async ({ request }) => {
        const { html } = letters.renderExample(await letters.readDraft(request), "#");
        return { html, size: Buffer.byteLength(html) };
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/audience",
      async ({ request }) => {
        const { audience } = await readCheckedJson(audienceBodySchema, request, "audience");
        return { count: (await findAudience(store, audience)).length };
      },
      { owner: true, parse: "none" },
    );
}

function createDraftRoutes(
  { bin, clock, guard, sender }: LetterRoutesContext,
  letters: LetterOperations,
) {
  return new Elysia()
    .use(guard)
    .get(
      "/:id",
      async ({ params: { id }, set }) => {
        const letter = await letters.requireLetter(id);
        set.headers.etag = createEtag(pickTextFields(letter));
        return letters.readDetail(letter);
      },
      { owner: true },
    )
    .put(
      "/:id",
      async ({ request, params: { id }, set }) => {
        const fields = await letters.readFields(request);
        const letter = await letters.updateLetter(id, (current) => {
          const changedLetter = { ...current, ...fields };
          if (Bun.deepEquals(changedLetter, current)) return current;
          if (current.state !== "draft") throw conflict(NOT_EDITABLE_MESSAGE);
          assertIfMatch(request, pickTextFields(current));
          return { ...changedLetter, tested: null, changedAt: getTimestamp(clock) };
        });
        set.headers.etag = createEtag(pickTextFields(letter));
        return letters.readDetail(letter);
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/:id",
      async ({ params: { id }, set, logAudit }) => {
        await bin.moveToBin(entities.letters, async (transaction) => {
          const letter = await transaction.of(entities.letters).delete(id);
          if (!letter) throw noLongerExists(entities.letters);
          if (letter.state === "sending") throw conflict(PAUSE_FIRST_MESSAGE);
          if (letter.state === "scheduled") throw conflict(UNSCHEDULE_FIRST_MESSAGE);
          // A paused letter that is restored from the bin must not be sent automatically.
          return letter.state === "paused" ? { ...letter, state: "draft" } : letter;
        });
        await sender.removeLetter(id);
        logAudit("data", "deleted a newsletter");
        set.status = 204;
      },
      { owner: true },
    );
}

function createSendingRoutes(context: LetterRoutesContext, letters: LetterOperations) {
  const { store, clock, trustedClock, guard, sessionMailLimits, sender } = context;
  return new Elysia()
    .use(guard)
    .post(
      "/:id/test",
      async ({ request, params: { id }, owner }) => {
        const letter = await letters.requireLetter(id);
        const { to = owner.email } = await readCheckedJson(testBodySchema, request, "to");
        letters.assertReady(letter, findTestProblem);
        sessionMailLimits.assertTestAllowed(owner, to);
        await letters.sendTest(letter, to);
        const tested = { to, at: getTimestamp(clock) };
        // A letter that was changed while its test was sent isn't marked as tested.
        const updatedLetter = await letters.updateLetter(id, (current) =>
          current.changedAt === letter.changedAt ? { ...current, tested } : current,
        );
        return letters.readDetail(updatedLetter);
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/:id/send",
      async ({ request, params: { id }, logAudit }) => {
        const { audience, at } = await readCheckedJson(sendBodySchema, request, "audience");
        if (at !== undefined && Date.parse(at) < trustedClock())
          throw invalidInput(TIME_IN_PAST_MESSAGE, { at: TIME_IN_PAST_MESSAGE });
        if ((await findAudience(store, audience)).length === 0)
          throw conflict(NO_RECIPIENTS_MESSAGE);
        const sendAt = at === undefined ? getTimestamp(trustedClock) : new Date(at).toISOString();
        const letter = await letters.updateLetter(id, (current) => {
          if (current.state !== "draft") throw conflict(NOT_SENDABLE_MESSAGE);
          letters.assertReady(current, findSendProblem);
          return { ...current, state: "scheduled", audience, sendAt, problem: null };
        });
        logAudit("settings", at === undefined ? "sent a newsletter" : "scheduled a newsletter");
        sender.sendDue();
        return letters.readDetail(letter);
      },
      { owner: "reauthenticated", parse: "none" },
    );
}

function createLetterActionRoutes(context: LetterRoutesContext, letters: LetterOperations) {
  const { trustedClock, guard, sender } = context;
  const routes = new Elysia().use(guard);
  for (const [action, { from, to, logEntry }] of Object.entries(LETTER_ACTIONS))
    routes.post(
      `/:id/${action}`,
      async ({ params: { id }, logAudit }) => {
        const now = getTimestamp(trustedClock);
        const letter = await letters.updateLetter(id, (current) => {
          if (!from.some((state) => state === current.state)) throw conflict(CHANGED_SINCE_MESSAGE);
          return { ...current, state: to, problem: null, ...(to === "sending" && { sendAt: now }) };
        });
        if (to === "sending") await sender.resumeLetter(id);
        sender.sendDue();
        logAudit("settings", logEntry);
        return letters.readDetail(letter);
      },
      { owner: to === "sending" ? "reauthenticated" : true, parse: "none" },
    );
  routes.post(
    "/:id/publish",
    async ({ request, params: { id } }) => {
      const { isPublic } = await readCheckedJson(publishBodySchema, request, "isPublic");
      const letter = await letters.updateLetter(id, (current) => ({ ...current, isPublic }));
      return readLetterSummary(context, letter);
    },
    { owner: true, parse: "none" },
  );
  return routes;
}

/** Returns the fields that a letter's ETag covers: the texts, but not the progress of sending. */
const pickTextFields = ({ subject, preview, body, buttonText, buttonLink }: Letter) => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});

const LETTER_ACTIONS = {
  pause: { from: ["sending"], to: "paused", logEntry: "paused a newsletter" },
  resume: { from: ["paused"], to: "sending", logEntry: "resumed a newsletter" },
  cancel: { from: ["scheduled"], to: "draft", logEntry: "unscheduled a newsletter" },
} as const;

/** The recipient's name in previews and tests. */
const EXAMPLE_NAME = "Priya";

const NOT_EDITABLE_MESSAGE = "Only drafts can be changed. Reload the page.";
const NOT_SENDABLE_MESSAGE = "Only drafts can be sent. Reload the page.";
const PAUSE_FIRST_MESSAGE = "This newsletter is being sent. Pause it before you delete it.";
const UNSCHEDULE_FIRST_MESSAGE =
  "This newsletter is scheduled. Unschedule it before you delete it.";
const CHANGED_SINCE_MESSAGE = "This newsletter has changed since you loaded it. Reload the page.";
const TIME_IN_PAST_MESSAGE = "Choose a time in the future.";
const NO_RECIPIENTS_MESSAGE = "This newsletter has no recipients. Choose a different group.";

const audienceBodySchema = v.object({ audience: audienceSchema });
const testBodySchema = v.object({ to: v.optional(emailSchema) });
const sendBodySchema = v.object({
  audience: audienceSchema,
  at: v.optional(
    v.pipe(boundedText(40, TIME_IN_PAST_MESSAGE), v.isoTimestamp(TIME_IN_PAST_MESSAGE)),
  ),
});
const publishBodySchema = v.object({ isPublic: v.boolean() });
