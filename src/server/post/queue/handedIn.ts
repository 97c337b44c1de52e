/**
 * What was handed in. The outbox says so of each message before the next one leaves, so that a kill at any moment
 * leaves at most the one that was just taken to go again. Where that couldn't be stored it is known here, and nothing
 * else leaves. An earlier release noted it in a list of its own, which is read and emptied.
 */
import { entities, type Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/mail.ts";
import { type Clock, isoTime } from "../../shared/clock.ts";
import type { Store } from "../../storage/store.ts";
import { afterSuccess } from "./attempts.ts";

type StoredMessage = Item<"outbox">;

export interface HandedIn {
  has(id: string): boolean;
  /** The message as it will be stored. */
  shown(message: StoredMessage): StoredMessage;
  /** Stores that it was sent; returns it as it is then. Throws `cannot_store`, and still knows it. */
  note(message: StoredMessage): Promise<StoredMessage | undefined>;
  /** Stores it of all of these kinds of which it isn't stored; returns those messages. Throws `cannot_store`. */
  settle(isMine: (kind: MessageKind) => boolean): Promise<StoredMessage[]>;
}

/** Opens what is known of messages that a server has taken. */
export function handedIn(store: Store, clock: Clock): HandedIn {
  const messages = store.of(entities.outbox);
  const notes = store.of(entities.handedIn);
  /** Those that this process handed in and couldn't store it of. */
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
      const stored = await messages.update(note.id, (each) => settled(each, note));
      own.delete(note.id);
      return stored;
    },
    async settle(isMine) {
      const noted = notes.read().value;
      const mine = [...new Map([...noted.map(byId), ...own]).values()].filter((each) =>
        isMine(each.kind),
      );
      if (mine.length === 0) return [];
      const stored = await Promise.all(
        mine.map((note) => messages.update(note.id, (message) => settled(message, note))),
      );
      if (noted.some(({ kind }) => isMine(kind)))
        await notes.update((list) => list.filter(({ kind }) => !isMine(kind)));
      for (const { id } of mine) own.delete(id);
      return stored.filter((message) => message !== undefined);
    },
  };
}

interface Note {
  readonly id: string;
  readonly kind: MessageKind;
  readonly sentAt: string;
}

const byId = (note: Note) => [note.id, note] as const;
