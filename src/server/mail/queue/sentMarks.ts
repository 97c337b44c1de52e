/**
 * Marks for accepted messages. The outbox is marked before the next message is sent, so that a kill repeats at most the
 * last one. A mark that couldn't be stored is kept in memory, and nothing is sent until it is stored. An earlier
 * release had a separate list of marks, which is read and emptied.
 */
import { entities, type Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import { type Clock, isoTime } from "../../shared/clock.ts";
import type { Store } from "../../storage/store.ts";
import { afterSuccess } from "./attempts.ts";

type StoredMessage = Item<"outbox">;

export interface SentMarks {
  has(id: string): boolean;
  /** The message as it will be stored. */
  shown(message: StoredMessage): StoredMessage;
  /** Stores that it was sent. Throws `cannot_store`, but remembers it. */
  note(message: StoredMessage): Promise<void>;
  /** Stores pending marks of these kinds in the outbox. Throws `cannot_store`. */
  settle(isMine: (kind: MessageKind) => boolean): Promise<void>;
}

/** Opens the marks of a store. */
export function sentMarks(store: Store, clock: Clock): SentMarks {
  const messages = store.of(entities.outbox);
  const notes = store.of(entities.handedIn);
  /** Sent by this process, but not stored yet. */
  const own = new Map<string, Note>();

  const find = (id: string) => own.get(id) ?? notes.read().value.find((each) => each.id === id);
  const take = ({ id, kind }: StoredMessage): Note => {
    const note = { id, kind, sentAt: isoTime(clock) };
    own.set(id, note);
    return note;
  };
  const settled = (message: StoredMessage, { sentAt }: Note) =>
    message.state === "waiting" ? afterSuccess(message, sentAt) : message;

  return {
    has: (id) => find(id) !== undefined,
    shown(message) {
      const note = find(message.id);
      return note ? settled(message, note) : message;
    },
    async note(message) {
      const note = take(message);
      await messages.update(note.id, (each) => settled(each, note));
      own.delete(note.id);
    },
    async settle(isMine) {
      const noted = notes.read().value;
      const mine = [...new Map([...noted.map(byId), ...own]).values()].filter((each) =>
        isMine(each.kind),
      );
      if (mine.length === 0) return;
      await Promise.all(
        mine.map((note) => messages.update(note.id, (message) => settled(message, note))),
      );
      if (noted.some(({ kind }) => isMine(kind)))
        await notes.update((list) => list.filter(({ kind }) => !isMine(kind)));
      for (const { id } of mine) own.delete(id);
    },
  };
}

interface Note {
  readonly id: string;
  readonly kind: MessageKind;
  readonly sentAt: string;
}

const byId = (note: Note) => [note.id, note] as const;
