/**
 * Messages that a carrier accepted. The outbox is marked before the next message is sent, so that a kill repeats at
 * most the last one. A mark that couldn't be stored is remembered, and nothing is sent until it is stored.
 */
import { entities, type Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import { type Clock, isoTime } from "../../shared/clock.ts";
import type { HandleOf, Store } from "../../storage/store.ts";
import { markSent } from "./attempts.ts";

type StoredMessage = Item<"outbox">;

/** Sent by this process, but not stored yet. */
interface SentMark {
  readonly kind: MessageKind;
  readonly sentAt: string;
}

export class SentMarks {
  readonly #messages: HandleOf<typeof entities.outbox>;
  readonly #pending = new Map<string, SentMark>();

  constructor(
    store: Store,
    private readonly clock: Clock,
  ) {
    this.#messages = store.of(entities.outbox);
  }

  has(id: string): boolean {
    return this.#pending.has(id);
  }

  /** The message as it will be stored. */
  readonly withPendingMark = (message: StoredMessage): StoredMessage => {
    const mark = this.#pending.get(message.id);
    return mark && message.state === "waiting" ? markSent(message, mark.sentAt) : message;
  };

  /** Stores that it was sent. Throws `cannot_store`, but remembers it. */
  async recordSent({ id, kind }: StoredMessage): Promise<void> {
    this.#pending.set(id, { kind, sentAt: isoTime(this.clock) });
    await this.#store(id);
  }

  /** Stores pending marks of these kinds. Throws `cannot_store`. */
  async storePending(isMine: (kind: MessageKind) => boolean): Promise<void> {
    const mine = [...this.#pending].filter(([, { kind }]) => isMine(kind));
    await Promise.all(mine.map(([id]) => this.#store(id)));
  }

  async #store(id: string): Promise<void> {
    await this.#messages.update(id, this.withPendingMark);
    this.#pending.delete(id);
  }
}
