/**
 * Makes concurrent writes of every kind, and records those that were acknowledged. Afterwards each of these must be
 * stored exactly once, and removed items must not come back.
 */
import { expect } from "bun:test";
import type { TestResponse, Client } from "./client.ts";
import { createPicture } from "./pictures.ts";

/** The expected state of one item. */
interface TrackedItem {
  /** Undefined while a call about the item is pending. */
  exists: boolean | undefined;
  /** The values that the item may have: the last acknowledged value, and those sent since. */
  values: string[];
  id: string | undefined;
}

/** The items of one kind, by a token that is known before the server responds. */
export class WriteLedger {
  readonly items = new Map<string, TrackedItem>();
  /** The number of acknowledged calls. */
  acknowledged = 0;

  constructor(
    readonly kind: string,
    /** Reads all stored items. */
    readonly read: (owner: Client) => Promise<{ token: string; id: string; value: string }[]>,
  ) {}

  /** Records an item that existed before. */
  recordExisting(token: string, value: string): void {
    this.items.set(token, { exists: true, values: [value], id: token });
  }

  /** Adds an item with a call. Returns the item's id. */
  async add(token: string, value: string, call: Promise<TestResponse>): Promise<string> {
    const item: TrackedItem = { exists: undefined, values: [value], id: undefined };
    this.items.set(token, item);
    item.id = getBody(await call)?.id ?? token;
    item.exists = true;
    this.acknowledged++;
    return item.id!;
  }

  async change(token: string, value: string, call: () => Promise<TestResponse>): Promise<void> {
    const item = this.items.get(token)!;
    item.values.push(value);
    getBody(await call());
    item.values = [value];
    this.acknowledged++;
  }

  /** Creates or removes an item with a call. `exists` is the state after the call. */
  async setExistence(
    token: string,
    exists: boolean,
    call: () => Promise<TestResponse>,
  ): Promise<void> {
    const item = this.items.get(token)!;
    item.exists = undefined;
    getBody(await call(), !exists);
    item.exists = exists;
    this.acknowledged++;
  }

  /** Checks that nothing acknowledged was lost, duplicated, altered or brought back. Pending calls are settled. */
  async assertStored(owner: Client): Promise<void> {
    const listed = await this.read(owner);
    const storedByToken = new Map(listed.map((each) => [each.token, each]));
    const problems: string[] = [];
    if (storedByToken.size !== listed.length)
      problems.push(`${listed.length - storedByToken.size} doubled`);
    for (const { token } of listed) if (!this.items.has(token)) problems.push(`${token}: unknown`);
    for (const [token, item] of this.items) {
      const stored = storedByToken.get(token);
      if (item.exists === true && !stored) problems.push(`${token}: lost`);
      if (item.exists === false && stored) problems.push(`${token}: back`);
      if (stored && !item.values.includes(stored.value))
        problems.push(`${token}: ${stored.value} instead of ${item.values.join(" or ")}`);
      item.exists = stored !== undefined;
      if (stored) Object.assign(item, { id: stored.id, values: [stored.value] });
    }
    expect([this.kind, problems]).toEqual([this.kind, []]);
    // Deleted items are checked once more, and then forgotten.
    this.forgetDeleted();
  }

  forgetDeleted(): void {
    for (const [token, { exists }] of this.items) if (!exists) this.items.delete(token);
  }

  listExisting(): string[] {
    return [...this.items].flatMap(([token, { exists }]) => (exists ? token : []));
  }

  getId = (token: string) => this.items.get(token)!.id!;
}

/** The fields of items in lists. */
type Shown = Readonly<
  Record<"id" | "label" | "value" | "originalName" | "title" | "subject", string>
>;

/** The writers' sessions. */
export interface WriterSessions {
  readonly owner: Client;
  readonly visitor: Client;
}

/** The number of enquiries and subscriptions that trimming leaves. */
const MAX_LEFT_ITEMS = 50;

/** Makes every kind of write, in parallel lanes that continue until the server is gone or `isOver` returns true. */
export class AllWrites {
  readonly hero = new WriteLedger("the hero", async (owner) => {
    const { body } = await owner.get("/api/hero");
    return [{ token: "hero", id: "hero", value: body.mainTitle }];
  });
  readonly statistics = new WriteLedger("statistics", async (owner) =>
    (await owner.get("/api/statistics")).body.map(({ id, label, value }: Shown) => ({
      token: label,
      id,
      value,
    })),
  );
  readonly enquiries = new WriteLedger("enquiries", (owner) =>
    readAll(owner, `/api/form-submissions/${this.#form!.formId}`, (each) => ({
      token: each.questions[0].answer,
      id: each.id,
      value: each.status,
    })),
  );
  readonly subscriptions = new WriteLedger("subscriptions", (owner) =>
    readAll(owner, "/api/email-subscriptions", (each) => ({
      token: each.email,
      id: each.id,
      value: each.status,
    })),
  );
  readonly pictures = new WriteLedger("pictures", async (owner) =>
    (await owner.get("/api/uploads")).body.map(({ id, originalName }: Shown) => ({
      token: originalName,
      id,
      value: "",
    })),
  );
  readonly forms = new WriteLedger("forms", async (owner) =>
    (await owner.get("/api/forms")).body
      .filter(({ id }: Shown) => id !== this.#form!.formId)
      .map(({ id, title }: Shown) => ({ token: title, id, value: "" })),
  );
  /** The order of the links of Connect, as a single item. */
  readonly order = new WriteLedger("the order", async (owner) => [
    { token: "order", id: "order", value: await readLinkOrder(owner) },
  ]);
  readonly letters = new WriteLedger("letters", async (owner) =>
    (await owner.get("/api/letters")).body.letters.map(({ id, subject }: Shown) => {
      const [token, value] = subject.split(", ");
      return { token, id, value };
    }),
  );
  readonly ledgers = [
    this.hero,
    this.statistics,
    this.enquiries,
    this.subscriptions,
    this.pictures,
    this.forms,
    this.order,
    this.letters,
  ];
  #form: { formId: string; fieldId: string } | undefined;
  #picture: Uint8Array<ArrayBuffer> | undefined;
  #count = 0;

  /** Creates what the writers need. Call it once, before anything else. */
  async prepare(owner: Client): Promise<void> {
    const create = async (path: string, body: object) => getBody(await owner.post(path, body)).id;
    const formId = await create("/api/forms", { title: "Enquiry", isActive: true });
    const stepId = await create("/api/form-steps", { formId, title: "S" });
    const field = { stepId, fieldType: "text", label: "Token", isRequired: true };
    this.#form = { formId, fieldId: await create("/api/form-fields", field) };
    this.#picture = await createPicture("png", 40, 40);
    this.hero.recordExisting("hero", "Title 0");
    getBody(await owner.post("/api/hero", { mainTitle: "Title 0" }));
    for (const { id } of getBody(await owner.get("/api/connect-links")))
      getBody(await owner.delete(`/api/connect-links/${id}`));
    for (const displayText of ["One", "Two", "Three", "Four", "Five"])
      await create("/api/connect-links", { displayText, url: "https://vera.example/me", order: 0 });
    this.order.recordExisting("order", await readLinkOrder(owner));
  }

  get acknowledged(): number {
    return this.ledgers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Resolves when every lane has ended. */
  async write(writers: WriterSessions, isOver: () => boolean = () => false): Promise<void> {
    const lanes = [
      this.#saveHero,
      this.#changeStatistics,
      this.#sendEnquiry,
      this.#sendEnquiry,
      this.#reviewEnquiry,
      this.#changeSubscription,
      this.#uploadPicture,
      this.#createAndDeleteForm,
      this.#reorderLinks,
      this.#writeLetter,
      this.#checkSession,
    ];
    await Promise.all(lanes.map((lane) => repeatUntilOver(() => lane.call(this, writers), isOver)));
  }

  /**
   * Permanently deletes all but the newest items of growing lists, so that the stored amount stays the same. No writer
   * may run meanwhile.
   */
  async trim(owner: Client): Promise<void> {
    for (const { book: ledger, path } of [
      { book: this.enquiries, path: "/api/form-submissions" },
      { book: this.subscriptions, path: "/api/email-subscriptions" },
    ]) {
      const ids = new Map((await ledger.read(owner)).map(({ token, id }) => [token, id]));
      for (const token of ledger.listExisting().slice(0, -MAX_LEFT_ITEMS))
        await ledger.setExistence(token, false, () => owner.delete(`${path}/${ids.get(token)}`));
    }
    getBody(await owner.delete("/api/bin"));
    for (const ledger of this.ledgers) ledger.forgetDeleted();
  }

  /** Compares everything with what is stored. */
  async assertStored(owner: Client): Promise<void> {
    for (const ledger of this.ledgers) await ledger.assertStored(owner);
  }

  #nextNumber = () => `${++this.#count}`;

  async #saveHero({ owner }: WriterSessions): Promise<void> {
    const mainTitle = `Title ${this.#nextNumber()}`;
    await this.hero.change("hero", mainTitle, () => owner.post("/api/hero", { mainTitle }));
  }

  /** Adds, changes, reorders and deletes items, permanently or into the bin and back. */
  async #changeStatistics({ owner }: WriterSessions): Promise<void> {
    const { statistics } = this;
    const token = `statistic ${this.#nextNumber()}`;
    const body = { value: "1", label: token, order: 0 };
    const id = await statistics.add(token, "1", owner.post("/api/statistics", body));
    const path = `/api/statistics/${id}`;
    await statistics.change(token, "2", () => owner.put(path, { value: "2" }));
    const updates = statistics.listExisting().map((each, order) => ({
      id: statistics.getId(each),
      order,
    }));
    getBody(await owner.post("/api/statistics/reorder", { updates }));
    await statistics.setExistence(token, false, () => owner.delete(path));
    await statistics.setExistence(token, true, () => owner.post(`/api/bin/${id}/restore`));
    // A loop, since a kill may leave an additional item, and a list holds at most 500.
    const tooMany = statistics.listExisting().slice(0, -20);
    for (const each of tooMany)
      await statistics.setExistence(each, false, () =>
        owner.delete(`/api/statistics/${statistics.getId(each)}`),
      );
  }

  async #sendEnquiry({ visitor }: WriterSessions): Promise<void> {
    const { formId, fieldId } = this.#form!;
    const token = `enquiry ${this.#nextNumber()}`;
    const body = { formId, data: { [fieldId]: token } };
    await this.enquiries.add(token, "new", visitor.post("/api/form-submissions", body));
  }

  async #reviewEnquiry({ owner }: WriterSessions): Promise<void> {
    const [token] = this.enquiries.listExisting();
    if (token === undefined) return void (await Bun.sleep(5));
    const path = `/api/form-submissions/${this.enquiries.getId(token)}`;
    const status = "reviewed";
    await this.enquiries.change(token, status, () => owner.put(`${path}/status`, { status }));
    await this.enquiries.setExistence(token, false, () => owner.delete(path));
  }

  async #changeSubscription({ owner, visitor }: WriterSessions): Promise<void> {
    const email = `person${this.#nextNumber()}@example.com`;
    const { subscriptions } = this;
    const path = "/api/email-subscriptions";
    await subscriptions.add(email, "active", visitor.post(path, { email }));
    const unsubscribe = () => visitor.post(`${path}/unsubscribe`, { email });
    await subscriptions.change(email, "unsubscribed", unsubscribe);
    if (this.#count % 3 === 0)
      await subscriptions.setExistence(email, false, () =>
        owner.post("/api/people/erase", { email }),
      );
  }

  async #uploadPicture({ owner }: WriterSessions): Promise<void> {
    const token = `picture ${this.#nextNumber()}.png`;
    const form = new FormData();
    form.set("file", new File([this.#picture!], token, { type: "image/png" }));
    const id = await this.pictures.add(token, "", owner.post("/api/upload", form));
    if (this.pictures.listExisting().length > 10)
      await this.pictures.setExistence(token, false, () => owner.delete(`/api/uploads/${id}`));
  }

  /** Creates a form with its children, and moves it to the bin. */
  async #createAndDeleteForm({ owner }: WriterSessions): Promise<void> {
    const title = `form ${this.#nextNumber()}`;
    const created = owner.post("/api/forms", { title, isActive: false });
    const formId = await this.forms.add(title, "", created);
    getBody(await owner.post("/api/form-steps", { formId, title: "S" }));
    for (const each of this.forms.listExisting())
      await this.forms.setExistence(each, false, () =>
        owner.delete(`/api/forms/${this.forms.getId(each)}`),
      );
  }

  async #reorderLinks({ owner }: WriterSessions): Promise<void> {
    const ids = (await readLinkOrder(owner)).split(" ");
    const rotated = [...ids.slice(1 + (this.#count % 4)), ...ids.slice(0, 1 + (this.#count % 4))];
    const updates = rotated.map((id, order) => ({ id, order }));
    const reorder = () => owner.post("/api/connect-links/reorder", { updates });
    await this.order.change("order", rotated.join(" "), reorder);
  }

  async #writeLetter({ owner }: WriterSessions): Promise<void> {
    const { letters } = this;
    const token = `letter ${this.#nextNumber()}`;
    const createValues = (value: string) => ({ subject: `${token}, ${value}`, body: "<p>Hi</p>" });
    const id = await letters.add(token, "new", owner.post("/api/letters", createValues("new")));
    const change = () => owner.put(`/api/letters/${id}`, createValues("changed"));
    await letters.change(token, "changed", change);
    // Also deletes letters that kills have left, since a list shows only the newest 200.
    for (const oldest of letters.listExisting().slice(0, -10))
      await letters.setExistence(oldest, false, () =>
        owner.delete(`/api/letters/${letters.getId(oldest)}`),
      );
  }

  async #checkSession({ owner }: WriterSessions): Promise<void> {
    getBody(await owner.get("/api/auth/me"));
    await Bun.sleep(20);
  }
}

/** Returns the ids of the links of Connect, in order. */
async function readLinkOrder(owner: Client): Promise<string> {
  const items: { id: string }[] = getBody(await owner.get("/api/connect-links"));
  return items.map(({ id }) => id).join(" ");
}

/**
 * Returns the body of a successful response. A client repeats a deletion if its connection ended before the response,
 * as when the disk stalls, so an item that is missing then was deleted the first time.
 */
function getBody({ status, body, text }: TestResponse, isDeletion = false): any {
  if (isDeletion && status === 404) return undefined;
  if (status >= 300) throw new UnexpectedResponse(`${status} ${text}`);
  return body;
}

/** Thrown for an unexpected response. A killed server sends none, so this is always a failure. */
class UnexpectedResponse extends Error {}

async function repeatUntilOver(write: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await write();
    } catch (error) {
      if (error instanceof UnexpectedResponse) throw error;
      return; // The connection ended with the process.
    }
  }
}

const PAGE_SIZE = 200;

async function readAll<T>(owner: Client, path: string, toItem: (each: any) => T): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = getBody(await owner.get(`${path}?offset=${items.length}&limit=${PAGE_SIZE}`));
    items.push(...page.map(toItem));
    if (page.length < PAGE_SIZE) return items;
  }
}
