/**
 * What was handed in while the outbox doesn't say so yet. Its state there rewrites a segment of up to 200
 * messages, so a round notes each message in a list of its own, before the next one leaves, and writes the
 * states of many at once. A kill at any moment leaves at most the message that was just taken without a note.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/mail.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import type { Store } from "../storage/store.ts";
import { afterSuccess } from "./attempts.ts";

type StoredMessage = Item<"outbox">;

export interface HandedIn {
  has(id: string): boolean;
  /** The message as it will be stored. */
  shown(message: StoredMessage): StoredMessage;
  /** Keeps on the disk that it must not go out again. Throws `cannot_store`, and still knows it. */
  note(message: StoredMessage): Promise<void>;
  /** As `note`, and writes the states of all of these kinds; returns those messages. Throws `cannot_store`. */
  settle(isMine: (kind: MessageKind) => boolean, last?: StoredMessage): Promise<StoredMessage[]>;
  /** So many are noted that their states should be written. */
  readonly isFull: boolean;
}

/** One write of the outbox for so many messages; the note stays under 6 KB. */
const SETTLED_AT_ONCE = 50;

/** Opens what is known of messages that a server has taken. */
export function handedIn(store: Store, clock: Clock): HandedIn {
  const messages = store.of(entities.outbox);
  const notes = store.of(entities.handedIn);
  /** Those that this process handed in: known also where no note could be stored. */
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
      await notes.put(note.id, () => note);
    },
    async settle(isMine, last) {
      if (last) take(last);
      const noted = notes.read().value;
      const mine = [...new Map([...noted.map(byId), ...own]).values()].filter((each) =>
        isMine(each.kind),
      );
      if (mine.length === 0) return [];
      // Changes of one moment share a write of their segment.
      const stored = await Promise.all(
        mine.map((note) => messages.update(note.id, (message) => settled(message, note))),
      );
      if (noted.some(({ kind }) => isMine(kind)))
        await notes.update((list) => list.filter(({ kind }) => !isMine(kind)));
      for (const { id } of mine) own.delete(id);
      return stored.filter((message) => message !== undefined);
    },
    get isFull() {
      return notes.read().value.length >= SETTLED_AT_ONCE;
    },
  };
}

interface Note {
  readonly id: string;
  readonly kind: MessageKind;
  readonly sentAt: string;
}

const byId = (note: Note) => [note.id, note] as const;
