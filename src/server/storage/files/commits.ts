/**
 * How a folder stores what its queue hands over: each change is staged, all of them are one line. Memory changes,
 * listeners are told and callers are answered once that line is on the disk.
 */
import { present } from "../../../schema/present.ts";
import { cannotStore } from "../../shared/errors.ts";
import { CommitQueue, type Outcome, returning, throwing } from "../commitQueue.ts";
import type { DataFolder } from "./dataFolder.ts";
import type { Journal } from "./journal.ts";
import { isFull } from "../disk/reserve.ts";

/** How many changes share a line at most. */
const AT_ONCE = 500;

type Apply<R> = (draft: Draft) => R | Promise<R>;

/** A change that is staged. */
interface StagedChange {
  readonly apply: Apply<unknown>;
  /** Once the line is stored. */
  readonly outcome: Outcome;
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
  readonly #queue = new CommitQueue<Apply<unknown>>(AT_ONCE, (changes) => this.#commit(changes));
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
    return this.#queue.run(apply);
  }

  /** Does `work` while no change is staged or stored: once those that came before are. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    return this.#queue.alone(work);
  }

  /** Takes no more changes; resolves when those taken are settled. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #commit(changes: readonly Apply<unknown>[]): Promise<readonly Outcome[]> {
    const { draft, staged } = await drafted(changes);
    const outcomes = staged.map(({ outcome }) => outcome);
    if (draft.writes.length === 0 && !draft.isTouched) return outcomes;
    try {
      await this.#store(draft);
      return outcomes;
    } catch (error) {
      return this.#refused(draft, staged, error);
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
  async #refused(
    draft: Draft,
    staged: readonly StagedChange[],
    error: unknown,
  ): Promise<readonly Outcome[]> {
    const isNeeded = ({ from, to }: StagedChange) =>
      from < to && draft.writes.slice(from, to).every((write) => write.isNeeded);
    const needed = isFull((error as Error).cause) ? staged.filter(isNeeded) : [];
    const second = needed.length > 0 ? await this.#storeNeeded(needed) : [];
    let hasWritten = false;
    return staged.map((each) => {
      const at = needed.indexOf(each);
      if (at >= 0) return present(second[at], "outcome");
      hasWritten ||= each.from < each.to;
      // One that came before anything was staged has seen nothing of what is refused.
      return hasWritten ? throwing(error) : each.outcome;
    });
  }

  async #storeNeeded(needed: readonly StagedChange[]): Promise<readonly Outcome[]> {
    const { draft, staged } = await drafted(needed.map(({ apply }) => apply));
    try {
      await this.#store(draft, true);
      return staged.map(({ outcome }) => outcome);
    } catch (error) {
      return needed.map(() => throwing(error));
    }
  }
}

async function drafted(changes: readonly Apply<unknown>[]) {
  const draft = new Draft();
  const staged: StagedChange[] = [];
  for (const apply of changes) staged.push(await stage(draft, apply));
  return { draft, staged };
}

async function stage(draft: Draft, apply: Apply<unknown>): Promise<StagedChange> {
  const from = draft.writes.length;
  draft.at = new Date().toISOString();
  try {
    const made = apply(draft);
    // A turn for each would let others in between.
    const result = made instanceof Promise ? await made : made;
    return { apply, from, to: draft.writes.length, outcome: returning(result) };
  } catch (error) {
    draft.takeBack(from);
    return { apply, from, to: from, outcome: throwing(error) };
  }
}

/** A write in a draft: how the journal says it, and what it does to memory once it is stored. */
interface DraftedWrite {
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
