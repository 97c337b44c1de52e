/**
 * What the instances of a site tell one another. A notice leaves with the transaction that it tells of, so
 * nobody hears of what was not stored. After a lost connection nobody knows what was missed: all is read anew.
 */
import { randomUUID } from "node:crypto";
import { type Database, type Queries, reasonOf } from "./database.ts";
import type { Said } from "../../shared/instances.ts";
import { CommitQueue, type Outcome, returning } from "../commitQueue.ts";

/** What an instance tells the others beside that. */
type Announcement = readonly [topic: string, said: Said];

interface Hearer {
  /** The names of the entities that a transaction of another instance has changed; throws for one that it doesn't know. */
  heard(names: readonly string[]): Promise<void>;
  /** Something may have been missed. */
  readAnew(): Promise<void>;
}

/** How often it is tried again to read anew, in milliseconds. */
const AGAIN_AFTER = 500;
/** Of what is announced beside that: the most in one notice, and the most that wait for a database that is away. */
const AT_ONCE = 30;
const MOST_WAITING = 1000;

const channelOf = ({ address }: Database) => `limelight_${address.schema}`;

/** Tells all instances, from a process that is none of them. */
export async function sayFrom(database: Database, topic: string): Promise<void> {
  const text = `none - ${JSON.stringify([[topic, []]])}`;
  await database.sql.unsafe("select pg_notify($1::text, $2::text)", [channelOf(database), text]);
}

export class Changes {
  readonly #me = randomUUID();
  readonly #channel: string;
  #subscription: { unlisten(): Promise<void> } | undefined;
  #isClosed = false;
  #isToRead = false;
  #isCut = false;
  readonly #telling = new CommitQueue<Announcement>(AT_ONCE, (announcements) =>
    this.#tellAll(announcements),
  );
  readonly #listeners = new Map<string, (said: Said) => void>();
  /** What was heard is taken over one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly database: Database,
    readonly hearer: Hearer,
  ) {
    this.#channel = channelOf(database);
  }

  /** To be called before anything is read, so that nothing is missed in between. */
  async listen(): Promise<void> {
    let isFirst = true;
    this.#subscription = await this.database.sql.listen(
      this.#channel,
      (text) => this.#inTurn(() => this.#heard(text)),
      () => {
        if (!isFirst) this.#inTurn(() => this.#readAnew());
        isFirst = false;
      },
    );
  }

  /**
   * Says what this transaction changes, once it is stored. An earlier release, which can't read the names of
   * entities, reads everything anew; so does this one at the notices of that.
   */
  async tell(transaction: Queries, changed: readonly { readonly name: string }[]): Promise<void> {
    const names = changed.map(({ name }) => name).join(" ");
    await transaction.unsafe("select pg_notify($1::text, $2::text)", [
      this.#channel,
      `${this.#me} ${names}`,
    ]);
  }

  /** Somebody else has noticed that connections were lost: the one that listens would wait for its next try. */
  cut(): void {
    this.#isCut = true;
    this.missed();
  }

  /** What was stored may not be in memory. */
  missed(): void {
    if (this.#isToRead) return;
    this.#isToRead = true;
    this.#inTurn(() => {
      this.#isToRead = false;
      return this.#readAnew();
    });
  }

  /** Several leave together; what can't leave is forgotten. */
  say(topic: string, said: Said): void {
    if (this.#telling.size < MOST_WAITING) this.#telling.run([topic, said]).catch(() => undefined);
  }

  hear(topic: string, listener: (said: Said) => void): void {
    this.#listeners.set(topic, listener);
  }

  async #tellAll(announcements: readonly Announcement[]): Promise<readonly Outcome[]> {
    const text = `${this.#me} - ${JSON.stringify(announcements)}`;
    await this.database.sql.unsafe("select pg_notify($1::text, $2::text)", [this.#channel, text]);
    return announcements.map(() => returning(undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#telling.close();
    await this.#subscription?.unlisten().catch(() => undefined);
    await this.#last;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) =>
        this.database.log(
          `storage: a change elsewhere couldn't be taken over (${reasonOf(error)})`,
        ),
      );
  }

  async #heard(text: string): Promise<void> {
    const [by, ...names] = text.split(" ");
    if (by === this.#me || this.#isClosed) return;
    if (names[0] === "-") {
      const announcements = JSON.parse(text.slice(`${by} - `.length)) as Announcement[];
      for (const [topic, said] of announcements) this.#listeners.get(topic)?.(said);
      return;
    }
    try {
      await this.hearer.heard(names);
    } catch {
      await this.#readAnew();
    }
  }

  /** Until it succeeds: what is in memory may be old. */
  async #readAnew(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#isCut) {
          await this.#subscription?.unlisten().catch(() => undefined); // oxlint-disable-line no-await-in-loop -- one line at a time
          await this.listen(); // oxlint-disable-line no-await-in-loop
          this.#isCut = false;
        }
        return await this.hearer.readAnew();
      } catch {
        await Bun.sleep(AGAIN_AFTER); // oxlint-disable-line no-await-in-loop -- until the database is there
      }
    }
  }
}
