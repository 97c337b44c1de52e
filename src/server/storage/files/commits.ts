/**
 * The one queue of a store: changes that come while a line is being written share the next one. Each has its own outcome;
 * memory changes, listeners are told and callers are answered once the line is on the disk.
 */
import { cannotStore } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import type { Journal } from "./journal.ts";
import { isFull } from "../disk/reserve.ts";

/** How many changes share a line at most. */
const AT_ONCE = 500;

type Apply<R> = (draft: Draft) => R | Promise<R>;

/** What waits for its turn alone. */
type Alone = () => Promise<void>;

interface Waiting {
  readonly apply: Apply<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A change that is staged; its outcome is told once the line is stored, or couldn't be. */
interface StagedChange {
  readonly waiting: Waiting;
  readonly settle: () => void;
  /** How many writes stood in the draft before it, and after it. */
  readonly from: number;
  readonly to: number;
}

interface CommitsContext {
  readonly folder: DataFolder;
  /** Called after each line that is stored. */
  readonly onStored: () => void;
}

export class Commits {
  readonly #queue: (Waiting | Alone)[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;
  #journal: Journal | undefined;

  constructor(readonly context: CommitsContext) {}

  /** From now on changes are stored in this journal. */
  begin(journal: Journal): void {
    this.#journal = journal;
  }

  /** Throws `cannot_store` before there is one. */
  get journal(): Journal {
    if (!this.#journal) throw cannotStore();
    return this.#journal;
  }

  /** Resolves with what `apply` returned once it is on the disk. Throws `cannot_store`, and what `apply` throws. */
  run<R>(apply: Apply<R>): Promise<R> {
    if (this.#isClosed) return Promise.reject(cannotStore());
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ apply, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Does `work` while no change is staged or stored: once those that came before are. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#queue.push(() => work().then(resolve, reject));
      this.#running ??= this.#drain();
    });
  }

  /** Takes no more changes; resolves when those taken are settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Lets callers of the same moment share even the first line.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const changes = this.#nextChanges();
      if (changes.length > 0) await this.#commit(changes);
      else await (this.#queue.shift() as Alone)();
    }
    this.#running = undefined;
  }

  /** Those at the front of the queue that share a line. */
  #nextChanges(): Waiting[] {
    const end = this.#queue.findIndex((each) => typeof each === "function");
    const count = Math.min(AT_ONCE, end === -1 ? this.#queue.length : end);
    return this.#queue.splice(0, count) as Waiting[];
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    const draft = new Draft();
    const staged: StagedChange[] = [];
    for (const each of waiting) staged.push(await stage(draft, each));
    if (draft.writes.length === 0 && !draft.isTouched)
      return staged.forEach(({ settle }) => settle());
    try {
      await this.#store(draft);
      for (const { settle } of staged) settle();
    } catch (error) {
      await this.#refuse(draft, staged, error);
    }
  }

  /** Throws `cannot_store`. */
  async #store(draft: Draft, maySpendReserve = false): Promise<void> {
    const { folder, onStored } = this.context;
    const { journal } = this;
    const names = new Set(draft.writes.map(({ entity }) => entity));
    await folder.write(
      [...names].join(", "),
      async () => {
        const { size } = journal;
        await journal.append(draft.writes.map(({ json }) => json));
        // `write` refuses it then: a move of the site came in between.
        if (folder.isStanding) await journal.takeBack(size);
      },
      maySpendReserve,
    );
    for (const { apply } of draft.writes) apply();
    onStored();
    for (const name of names) folder.listeners.announce(name);
  }

  /** On a full disk what its owner needs is stored all the same, from what is held for that. */
  async #refuse(draft: Draft, staged: readonly StagedChange[], error: unknown): Promise<void> {
    const isNeeded = ({ from, to }: StagedChange) =>
      from < to && draft.writes.slice(from, to).every((write) => write.isNeeded);
    const needed = isFull((error as Error).cause) ? staged.filter(isNeeded) : [];
    let hasWritten = false;
    for (const each of staged) {
      if (needed.includes(each)) continue;
      hasWritten ||= each.from < each.to;
      // One that came before anything was staged has seen nothing of what is refused.
      if (hasWritten) each.waiting.reject(error);
      else each.settle();
    }
    if (needed.length === 0) return;
    const again = new Draft();
    const stagedAgain: StagedChange[] = [];
    for (const { waiting } of needed) stagedAgain.push(await stage(again, waiting));
    try {
      await this.#store(again, true);
      for (const { settle } of stagedAgain) settle();
    } catch (refused) {
      for (const { waiting } of stagedAgain) waiting.reject(refused);
    }
  }
}

async function stage(draft: Draft, waiting: Waiting): Promise<StagedChange> {
  const from = draft.writes.length;
  draft.at = new Date().toISOString();
  try {
    const made = waiting.apply(draft);
    // A turn for each would let others in between.
    const result = made instanceof Promise ? await made : made;
    return { waiting, from, to: draft.writes.length, settle: () => waiting.resolve(result) };
  } catch (error) {
    draft.takeBack(from);
    return { waiting, from, to: from, settle: () => waiting.reject(error) };
  }
}

/** A write in a draft: how the journal says it, and what it does to memory once it is stored. */
export interface DraftedWrite {
  readonly entity: string;
  /** As JSON. */
  readonly json: string;
  /** Stored on a full disk as well. */
  readonly isNeeded: boolean;
  readonly apply: () => void;
  /** Takes it out of the draft; the last one first. */
  readonly undo: () => void;
}

/** What can be changed in a draft. */
export interface Draftable<D extends object = object> {
  /** Of this draft alone. */
  draft(draft: Draft): D;
}

export class Draft {
  readonly #drafts = new Map<Draftable, object>();
  readonly writes: DraftedWrite[] = [];
  /** ISO 8601, UTC. */
  at = "";
  /** Something is to be stored though it changes nothing, so that the time it takes doesn't tell. */
  isTouched = false;

  of<D extends object>(draftable: Draftable<D>): D {
    let own = this.#drafts.get(draftable) as D | undefined;
    if (!own) {
      own = draftable.draft(this);
      this.#drafts.set(draftable, own);
    }
    return own;
  }

  note(write: DraftedWrite): void {
    this.writes.push(write);
  }

  /** Takes back what came after the first `length` writes. */
  takeBack(length: number): void {
    for (const write of this.writes.splice(length).toReversed()) write.undo();
  }
}
