/**
 * Notices between a site's instances. A notice is sent with its transaction, so nobody is notified of unstored changes.
 * After a lost connection, missed changes are unknown: everything is read again.
 */
import { randomUUID } from "node:crypto";
import { type Database, type Queries, errorReason, withTimeout } from "./database.ts";
import type { Payload } from "../../shared/channel.ts";
import { CommitQueue, type CommitOutcome, returnOutcome } from "../commitQueue.ts";

/** Other announcements between instances. */
type Announcement = readonly [topic: string, payload: Payload];

interface ChangeHandler {
  /** The names of entities that another instance's transaction changed; throws for an unknown one. */
  onChanged(names: readonly string[]): Promise<void>;
  /** Something may have been missed. */
  reload(): Promise<void>;
}

/** The interval of retries of reading everything, in milliseconds. */
const RETRY_DELAY_MS = 500;
/**
 * The interval at which an instance sends itself a notice, and the time without any after which it listens
 * anew, in milliseconds.
 */
const PROBE_INTERVAL_MS = 2000;
const SILENCE_TIMEOUT_MS = 5000;
/** For announcements: the most per notice, and the most that wait while the database is down. */
const MAX_ANNOUNCEMENTS_PER_NOTICE = 30;
const MAX_WAITING_ANNOUNCEMENTS = 1000;

const channelName = ({ address }: Database) => `limelight_${address.schema}`;

export class InstanceChannel {
  readonly #instanceId = randomUUID();
  readonly #channel: string;
  #subscription: { unlisten(): Promise<void> } | undefined;
  #isClosed = false;
  #needsReload = false;
  #isDisconnected = false;
  /** The time when the listening connection last worked. A dead one may never show any other sign. */
  #confirmedAt = performance.now();
  #probeTimer: ReturnType<typeof setInterval> | undefined;
  readonly #publishQueue = new CommitQueue<Announcement>(
    MAX_ANNOUNCEMENTS_PER_NOTICE,
    (announcements) => this.#publishAll(announcements),
  );
  readonly #listeners = new Map<string, (payload: Payload) => void>();
  /** Notices are handled one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly database: Database,
    readonly handler: ChangeHandler,
  ) {
    this.#channel = channelName(database);
  }

  /** Call before anything is read, so that nothing is missed in between. */
  async listen(): Promise<void> {
    let isFirst = true;
    this.#subscription = await this.database.sql.listen(
      this.#channel,
      (text) => {
        if (text.startsWith(this.#instanceId)) this.#confirmedAt = performance.now();
        this.#runInTurn(() => this.#handleNotice(text));
      },
      () => {
        this.#confirmedAt = performance.now();
        if (!isFirst) this.#runInTurn(() => this.#reload());
        isFirst = false;
      },
    );
    this.database.onConnectionsReplaced = () => this.reconnect();
    this.#probeTimer ??= setInterval(() => this.#probeConnection(), PROBE_INTERVAL_MS).unref();
  }

  /** Whether nothing was received through the listening connection, so that memory may be outdated. */
  get isSilent(): boolean {
    return performance.now() - this.#confirmedAt > SILENCE_TIMEOUT_MS;
  }

  #probeConnection(): void {
    if (this.isSilent) this.reconnect();
    this.publish("alive", []);
  }

  /** Announces a transaction's changes once it is stored. */
  async announce(
    transaction: Queries,
    changed: readonly { readonly name: string }[],
  ): Promise<void> {
    const names = changed.map(({ name }) => name).join(" ");
    await transaction.unsafe("select pg_notify($1::text, $2::text)", [
      this.#channel,
      `${this.#instanceId} ${names}`,
    ]);
  }

  /** Lost connections were noticed: the listening one would wait for its next try, or endlessly. */
  reconnect(): void {
    this.#isDisconnected = true;
    this.reloadAll();
  }

  /** Memory may lack stored changes. */
  reloadAll(): void {
    if (this.#needsReload) return;
    this.#needsReload = true;
    this.#runInTurn(() => {
      this.#needsReload = false;
      return this.#reload();
    });
  }

  /** Several are sent together; those that can't be are dropped. */
  publish(topic: string, payload: Payload): void {
    if (this.#publishQueue.size < MAX_WAITING_ANNOUNCEMENTS)
      this.#publishQueue.run([topic, payload]).catch(() => undefined);
  }

  subscribe(topic: string, listener: (payload: Payload) => void): void {
    this.#listeners.set(topic, listener);
  }

  async #publishAll(announcements: readonly Announcement[]): Promise<readonly CommitOutcome[]> {
    const text = `${this.#instanceId} - ${JSON.stringify(announcements)}`;
    await this.database.withOperationTimeout((sql) =>
      sql.unsafe("select pg_notify($1::text, $2::text)", [this.#channel, text]),
    );
    return announcements.map(() => returnOutcome(undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probeTimer);
    await this.#publishQueue.close();
    await this.#subscription?.unlisten().catch(() => undefined);
    await this.#last;
  }

  #runInTurn(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) =>
        this.database.log(
          `storage: another instance's change couldn't be loaded (${errorReason(error)})`,
        ),
      );
  }

  async #handleNotice(text: string): Promise<void> {
    const [by, ...names] = text.split(" ");
    if (by === this.#instanceId || this.#isClosed) return;
    if (names[0] === "-") {
      const announcements = JSON.parse(text.slice(`${by} - `.length)) as Announcement[];
      for (const [topic, payload] of announcements) this.#listeners.get(topic)?.(payload);
      return;
    }
    try {
      await this.handler.onChanged(names);
    } catch {
      await this.#reload();
    }
  }

  /** Until it succeeds: memory may be outdated. */
  async #reload(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#isDisconnected) {
          await this.#subscription?.unlisten().catch(() => undefined); // oxlint-disable-line no-await-in-loop -- one line at a time
          await withTimeout(this.listen()); // oxlint-disable-line no-await-in-loop
          this.#isDisconnected = false;
        }
        return await this.handler.reload();
      } catch {
        await Bun.sleep(RETRY_DELAY_MS); // oxlint-disable-line no-await-in-loop -- until the database is available
      }
    }
  }
}
