/**
 * Concurrent writes of every kind, and a record of what was acknowledged: it has to be there afterwards, once, and
 * removed items must not come back.
 */
import { expect } from "bun:test";
import type { Answer, Client } from "./client.ts";
import { pictureAs } from "./pictures.ts";

/** The expected state of one item. */
interface Tracked {
  /** Undefined while a call about it is pending. */
  exists: boolean | undefined;
  /** Its possible values: the last acknowledged one, and those sent since. */
  values: string[];
  id: string | undefined;
}

/** Items of one kind by their token, which is known before the server responds. */
export class Book {
  readonly things = new Map<string, Tracked>();
  /** The number of acknowledged calls. */
  acknowledged = 0;

  constructor(
    readonly kind: string,
    /** Reads all stored items. */
    readonly read: (owner: Client) => Promise<{ token: string; id: string; value: string }[]>,
  ) {}

  /** Records an item that existed before. */
  note(token: string, value: string): void {
    this.things.set(token, { exists: true, values: [value], id: token });
  }

  /** Returns its id. */
  async add(token: string, value: string, call: Promise<Answer>): Promise<string> {
    const thing: Tracked = { exists: undefined, values: [value], id: undefined };
    this.things.set(token, thing);
    thing.id = done(await call)?.id ?? token;
    thing.exists = true;
    this.acknowledged++;
    return thing.id!;
  }

  async change(token: string, value: string, call: () => Promise<Answer>): Promise<void> {
    const thing = this.things.get(token)!;
    thing.values.push(value);
    done(await call());
    thing.values = [value];
    this.acknowledged++;
  }

  /** `exists` is the state afterwards. */
  async move(token: string, exists: boolean, call: () => Promise<Answer>): Promise<void> {
    const thing = this.things.get(token)!;
    thing.exists = undefined;
    done(await call(), !exists);
    thing.exists = exists;
    this.acknowledged++;
  }

  /** Nothing acknowledged is lost, duplicated, altered or brought back; pending calls are settled. */
  async compare(owner: Client): Promise<void> {
    const listed = await this.read(owner);
    const seen = new Map(listed.map((each) => [each.token, each]));
    const wrong: string[] = [];
    if (seen.size !== listed.length) wrong.push(`${listed.length - seen.size} doubled`);
    for (const { token } of listed) if (!this.things.has(token)) wrong.push(`${token}: unknown`);
    for (const [token, thing] of this.things) {
      const stored = seen.get(token);
      if (thing.exists === true && !stored) wrong.push(`${token}: lost`);
      if (thing.exists === false && stored) wrong.push(`${token}: back`);
      if (stored && !thing.values.includes(stored.value))
        wrong.push(`${token}: ${stored.value} instead of ${thing.values.join(" or ")}`);
      thing.exists = stored !== undefined;
      if (stored) Object.assign(thing, { id: stored.id, values: [stored.value] });
    }
    expect([this.kind, wrong]).toEqual([this.kind, []]);
    // Deleted items are checked once more, and then forgotten.
    this.forgetDeleted();
  }

  forgetDeleted(): void {
    for (const [token, { exists }] of this.things) if (!exists) this.things.delete(token);
  }

  present(): string[] {
    return [...this.things].flatMap(([token, { exists }]) => (exists ? token : []));
  }

  idOf = (token: string) => this.things.get(token)!.id!;
}

/** Fields that lists show. */
type Shown = Readonly<
  Record<"id" | "label" | "value" | "originalName" | "title" | "subject", string>
>;

/** The writers' sessions. */
export interface Writers {
  readonly owner: Client;
  readonly visitor: Client;
}

/** The number of enquiries and subscriptions that trimming leaves. */
const MOST_LEFT = 50;

/** Every kind of write, in parallel lanes that continue until the server is gone or `isOver`. */
export class AllWrites {
  readonly hero = new Book("the hero", async (owner) => {
    const { body } = await owner.get("/api/hero");
    return [{ token: "hero", id: "hero", value: body.mainTitle }];
  });
  readonly statistics = new Book("statistics", async (owner) =>
    (await owner.get("/api/statistics")).body.map(({ id, label, value }: Shown) => ({
      token: label,
      id,
      value,
    })),
  );
  readonly enquiries = new Book("enquiries", (owner) =>
    everything(owner, `/api/form-submissions/${this.#form!.formId}`, (each) => ({
      token: each.questions[0].answer,
      id: each.id,
      value: each.status,
    })),
  );
  readonly subscriptions = new Book("subscriptions", (owner) =>
    everything(owner, "/api/email-subscriptions", (each) => ({
      token: each.email,
      id: each.id,
      value: each.status,
    })),
  );
  readonly pictures = new Book("pictures", async (owner) =>
    (await owner.get("/api/uploads")).body.map(({ id, originalName }: Shown) => ({
      token: originalName,
      id,
      value: "",
    })),
  );
  readonly forms = new Book("forms", async (owner) =>
    (await owner.get("/api/forms")).body
      .filter(({ id }: Shown) => id !== this.#form!.formId)
      .map(({ id, title }: Shown) => ({ token: title, id, value: "" })),
  );
  /** One item: the order of the links of Connect. */
  readonly order = new Book("the order", async (owner) => [
    { token: "order", id: "order", value: await orderOf(owner) },
  ]);
  readonly letters = new Book("letters", async (owner) =>
    (await owner.get("/api/letters")).body.letters.map(({ id, subject }: Shown) => {
      const [token, value] = subject.split(", ");
      return { token, id, value };
    }),
  );
  readonly books = [
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

  /** Creates what the writers need; once, first of all. */
  async prepare(owner: Client): Promise<void> {
    const made = async (path: string, body: object) => done(await owner.post(path, body)).id;
    const formId = await made("/api/forms", { title: "Enquiry", isActive: true });
    const stepId = await made("/api/form-steps", { formId, title: "S" });
    const field = { stepId, fieldType: "text", label: "Token", isRequired: true };
    this.#form = { formId, fieldId: await made("/api/form-fields", field) };
    this.#picture = await pictureAs("png", 40, 40);
    this.hero.note("hero", "Title 0");
    done(await owner.post("/api/hero", { mainTitle: "Title 0" }));
    for (const { id } of done(await owner.get("/api/connect-links")))
      done(await owner.delete(`/api/connect-links/${id}`));
    for (const displayText of ["One", "Two", "Three", "Four", "Five"])
      await made("/api/connect-links", { displayText, url: "https://vera.example/me", order: 0 });
    this.order.note("order", await orderOf(owner));
  }

  get acknowledged(): number {
    return this.books.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Resolves when every lane has ended. */
  async write(writers: Writers, isOver: () => boolean = () => false): Promise<void> {
    const lanes = [
      this.#saves,
      this.#lists,
      this.#sends,
      this.#sends,
      this.#reviews,
      this.#subscribes,
      this.#uploads,
      this.#builds,
      this.#orders,
      this.#writesLetters,
      this.#logsIn,
    ];
    await Promise.all(lanes.map((lane) => repeatUntilOver(() => lane.call(this, writers), isOver)));
  }

  /**
   * Permanently deletes all but the newest of what grows, so that the stored amount stays the same. No writer may
   * run meanwhile.
   */
  async trim(owner: Client): Promise<void> {
    for (const { book, path } of [
      { book: this.enquiries, path: "/api/form-submissions" },
      { book: this.subscriptions, path: "/api/email-subscriptions" },
    ]) {
      const ids = new Map((await book.read(owner)).map(({ token, id }) => [token, id]));
      for (const token of book.present().slice(0, -MOST_LEFT))
        await book.move(token, false, () => owner.delete(`${path}/${ids.get(token)}`));
    }
    done(await owner.delete("/api/bin"));
    for (const book of this.books) book.forgetDeleted();
  }

  /** Compares everything with what is stored. */
  async compare(owner: Client): Promise<void> {
    for (const book of this.books) await book.compare(owner);
  }

  #next = () => `${++this.#count}`;

  async #saves({ owner }: Writers): Promise<void> {
    const mainTitle = `Title ${this.#next()}`;
    await this.hero.change("hero", mainTitle, () => owner.post("/api/hero", { mainTitle }));
  }

  /** Adds, changes, reorders and deletes items, permanently or into the bin and back. */
  async #lists({ owner }: Writers): Promise<void> {
    const { statistics } = this;
    const token = `statistic ${this.#next()}`;
    const body = { value: "1", label: token, order: 0 };
    const id = await statistics.add(token, "1", owner.post("/api/statistics", body));
    const path = `/api/statistics/${id}`;
    await statistics.change(token, "2", () => owner.put(path, { value: "2" }));
    const updates = statistics.present().map((each, order) => ({
      id: statistics.idOf(each),
      order,
    }));
    done(await owner.post("/api/statistics/reorder", { updates }));
    await statistics.move(token, false, () => owner.delete(path));
    await statistics.move(token, true, () => owner.post(`/api/bin/${id}/restore`));
    // More than one, since a kill may leave one more, and a list holds 500.
    const tooMany = statistics.present().slice(0, -20);
    for (const each of tooMany)
      await statistics.move(each, false, () =>
        owner.delete(`/api/statistics/${statistics.idOf(each)}`),
      );
  }

  async #sends({ visitor }: Writers): Promise<void> {
    const { formId, fieldId } = this.#form!;
    const token = `enquiry ${this.#next()}`;
    const sent = { formId, data: { [fieldId]: token } };
    await this.enquiries.add(token, "new", visitor.post("/api/form-submissions", sent));
  }

  async #reviews({ owner }: Writers): Promise<void> {
    const [token] = this.enquiries.present();
    if (token === undefined) return void (await Bun.sleep(5));
    const path = `/api/form-submissions/${this.enquiries.idOf(token)}`;
    const status = "reviewed";
    await this.enquiries.change(token, status, () => owner.put(`${path}/status`, { status }));
    await this.enquiries.move(token, false, () => owner.delete(path));
  }

  async #subscribes({ owner, visitor }: Writers): Promise<void> {
    const email = `person${this.#next()}@example.com`;
    const { subscriptions } = this;
    const path = "/api/email-subscriptions";
    await subscriptions.add(email, "active", visitor.post(path, { email }));
    const leave = () => visitor.post(`${path}/unsubscribe`, { email });
    await subscriptions.change(email, "unsubscribed", leave);
    if (this.#count % 3 === 0)
      await subscriptions.move(email, false, () => owner.post("/api/people/erase", { email }));
  }

  async #uploads({ owner }: Writers): Promise<void> {
    const token = `picture ${this.#next()}.png`;
    const form = new FormData();
    form.set("file", new File([this.#picture!], token, { type: "image/png" }));
    const id = await this.pictures.add(token, "", owner.post("/api/upload", form));
    if (this.pictures.present().length > 10)
      await this.pictures.move(token, false, () => owner.delete(`/api/uploads/${id}`));
  }

  /** A form with its children, into the bin. */
  async #builds({ owner }: Writers): Promise<void> {
    const title = `form ${this.#next()}`;
    const made = owner.post("/api/forms", { title, isActive: false });
    const formId = await this.forms.add(title, "", made);
    done(await owner.post("/api/form-steps", { formId, title: "S" }));
    for (const each of this.forms.present())
      await this.forms.move(each, false, () => owner.delete(`/api/forms/${this.forms.idOf(each)}`));
  }

  async #orders({ owner }: Writers): Promise<void> {
    const ids = (await orderOf(owner)).split(" ");
    const turned = [...ids.slice(1 + (this.#count % 4)), ...ids.slice(0, 1 + (this.#count % 4))];
    const updates = turned.map((id, order) => ({ id, order }));
    const reorder = () => owner.post("/api/connect-links/reorder", { updates });
    await this.order.change("order", turned.join(" "), reorder);
  }

  async #writesLetters({ owner }: Writers): Promise<void> {
    const { letters } = this;
    const token = `letter ${this.#next()}`;
    const words = (value: string) => ({ subject: `${token}, ${value}`, body: "<p>Hi</p>" });
    const id = await letters.add(token, "new", owner.post("/api/letters", words("new")));
    const change = () => owner.put(`/api/letters/${id}`, words("changed"));
    await letters.change(token, "changed", change);
    // Deletes those that kills have left too, since a list shows the newest 200.
    for (const oldest of letters.present().slice(0, -10))
      await letters.move(oldest, false, () => owner.delete(`/api/letters/${letters.idOf(oldest)}`));
  }

  async #logsIn({ owner }: Writers): Promise<void> {
    done(await owner.get("/api/auth/me"));
    await Bun.sleep(20);
  }
}

/** The ids of the links of Connect, in order. */
async function orderOf(owner: Client): Promise<string> {
  const items: { id: string }[] = done(await owner.get("/api/connect-links"));
  return items.map(({ id }) => id).join(" ");
}

/**
 * The body of a success. A client repeats a deletion if its connection ended before the response, as when the disk
 * stalls, so a missing item was deleted the first time.
 */
function done({ status, body, text }: Answer, isDeletion = false): any {
  if (isDeletion && status === 404) return undefined;
  if (status >= 300) throw new Refused(`${status} ${text}`);
  return body;
}

/** An unexpected response, which a killed server never sends. */
class Refused extends Error {}

async function repeatUntilOver(write: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await write();
    } catch (error) {
      if (error instanceof Refused) throw error;
      return; // The connection ended with the process.
    }
  }
}

const PAGE = 200;

async function everything<T>(owner: Client, path: string, of: (each: any) => T): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = done(await owner.get(`${path}?offset=${items.length}&limit=${PAGE}`));
    items.push(...page.map(of));
    if (page.length < PAGE) return items;
  }
}
