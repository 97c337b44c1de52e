/**
 * Sends notices between the instances of a site. A notice of changes is part of the changes' transaction, so it is sent
 * only if they are stored. After a lost connection, an instance reads all documents again.
 */
import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import { type Database, type Queries, getDatabaseReason, withDeadline } from "./database.ts";
import type { Payload } from "../../shared/instanceCoordinator.ts";
import { CommitQueue, type CommitOutcome, createResultOutcome } from "../commitQueue.ts";

/** A message between instances other than a notice of changes. */
type PublishedMessage = readonly [topic: string, payload: Payload];

interface ChangeHandler {
  /** Called with the names of entities that another instance changed. Throws for an unknown name. */
  onChanged(names: readonly string[]): Promise<void>;
  /** Reads everything again. Called if notices may have been missed. */
  reload(): Promise<void>;
}

/** The time between two attempts to reload. */
const RETRY_DELAY_MS = 500;
/** The interval at which an instance sends a notice to itself, to test the listening connection. */
const PROBE_INTERVAL_MS = 2000;
/** The time without a notice after which an instance listens on a new connection. */
const SILENCE_TIMEOUT_MS = 5000;
/** The maximum number of messages that one notice contains. */
const MAX_MESSAGES_PER_NOTICE = 30;
/** The maximum number of messages that wait while the database is down. Further messages are dropped. */
const MAX_WAITING_MESSAGES = 1000;

export class InstanceChannel {
  readonly #instanceId = randomUUID();
  readonly #channel: string;
  #subscription: { unlisten(): Promise<void> } | undefined;
  #isClosed = false;
  #isReloadPending = false;
  #isDisconnected = false;
  /** The time of the last notice. A dead connection is noticed only by its silence. */
  #lastNoticeAt = performance.now();
  #probeTimer: ReturnType<typeof setInterval> | undefined;
  readonly #publishQueue = new CommitQueue<PublishedMessage>(MAX_MESSAGES_PER_NOTICE, (messages) =>
    this.#publishAll(messages),
  );
  readonly #listeners = new Map<string, (payload: Payload) => void>();
  readonly #limitToOne = pLimit(1);

  constructor(
    readonly database: Database,
    readonly handler: ChangeHandler,
  ) {
    this.#channel = `limelight_${database.address.schema}`;
  }

  /** Call this before documents are read, so that no change between reading and listening is missed. */
  async listen(): Promise<void> {
    let isFirst = true;
    this.#subscription = await this.database.sql.listen(
      this.#channel,
      (text) => {
        if (text.startsWith(this.#instanceId)) this.#lastNoticeAt = performance.now();
        this.#enqueueWork(() => this.#handleNotice(text));
      },
      () => {
        this.#lastNoticeAt = performance.now();
        if (!isFirst) this.#enqueueWork(() => this.#reload());
        isFirst = false;
      },
    );
    this.database.onConnectionsReplaced = () => this.reconnect();
    this.#probeTimer ??= setInterval(() => this.#probeConnection(), PROBE_INTERVAL_MS).unref();
  }

  /** Whether the listening connection has received nothing for too long. Memory may then be outdated. */
  get isSilent(): boolean {
    return performance.now() - this.#lastNoticeAt > SILENCE_TIMEOUT_MS;
  }

  #probeConnection(): void {
    if (this.isSilent) this.reconnect();
    this.publish("alive", []);
  }

  /** Adds a notice to a transaction. The database sends the notice once the transaction is stored. */
  async addChangeNotice(
    transaction: Queries,
    changedEntities: readonly { readonly name: string }[],
  ): Promise<void> {
    const names = changedEntities.map(({ name }) => name).join(" ");
    await transaction.unsafe("select pg_notify($1::text, $2::text)", [
      this.#channel,
      `${this.#instanceId} ${names}`,
    ]);
  }

  /** Listens on a new connection and reloads. The client would notice a dead listening connection late or never. */
  reconnect(): void {
    this.#isDisconnected = true;
    this.reloadAll();
  }

  /** Reloads everything, because memory may lack stored changes. Does nothing while a reload is pending. */
  reloadAll(): void {
    if (this.#isReloadPending) return;
    this.#isReloadPending = true;
    this.#enqueueWork(() => {
      this.#isReloadPending = false;
      return this.#reload();
    });
  }

  /** Queues a message for the other instances. A message that can't be sent is dropped. */
  publish(topic: string, payload: Payload): void {
    if (this.#publishQueue.size < MAX_WAITING_MESSAGES)
      this.#publishQueue.run([topic, payload]).catch(() => undefined);
  }

  subscribe(topic: string, listener: (payload: Payload) => void): void {
    this.#listeners.set(topic, listener);
  }

  async #publishAll(messages: readonly PublishedMessage[]): Promise<readonly CommitOutcome[]> {
    const text = `${this.#instanceId} - ${JSON.stringify(messages)}`;
    await this.database.withOperationTimeout((sql) =>
      sql.unsafe("select pg_notify($1::text, $2::text)", [this.#channel, text]),
    );
    return messages.map(() => createResultOutcome(undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probeTimer);
    await this.#publishQueue.close();
    await this.#subscription?.unlisten().catch(() => undefined);
    await this.#limitToOne(() => undefined);
  }

  /** Runs `work` after all work that was queued earlier, such as the handling of a notice. */
  #enqueueWork(work: () => Promise<void>): void {
    this.#limitToOne(work).catch((error: unknown) =>
      this.database.log(
        `storage: another instance's change couldn't be loaded (${getDatabaseReason(error)})`,
      ),
    );
  }

  async #handleNotice(text: string): Promise<void> {
    const [sender, ...names] = text.split(" ");
    if (sender === this.#instanceId || this.#isClosed) return;
    if (names[0] === "-") {
      const messages = JSON.parse(text.slice(`${sender} - `.length)) as PublishedMessage[];
      for (const [topic, payload] of messages) this.#listeners.get(topic)?.(payload);
      return;
    }
    try {
      await this.handler.onChanged(names);
    } catch {
      await this.#reload();
    }
  }

  /** Reloads everything. After an error, tries again until the reload succeeds or the channel is closed. */
  async #reload(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#isDisconnected) {
          await this.#subscription?.unlisten().catch(() => undefined);
          await withDeadline(this.listen());
          this.#isDisconnected = false;
        }
        return await this.handler.reload();
      } catch {
        await Bun.sleep(RETRY_DELAY_MS);
      }
    }
  }
}
