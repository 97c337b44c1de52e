/**
 * How a folder stores queued changes: each is staged, and all form one line. Memory changes, listeners are notified and
 * callers get their results once that line is on disk.
 */
import { present } from "../../../schema/present.ts";
import { cannotStore } from "../../shared/errors.ts";
import { CommitQueue, type Outcome, returning, throwing } from "../commitQueue.ts";
import type { DataFolder } from "./dataFolder.ts";
import type { Journal } from "./journal.ts";
import { isFull } from "../disk/reserve.ts";
import { causeOf } from "../../shared/caught.ts";

/** The limit of changes per line. */
const AT_ONCE = 500;

type Apply<R> = (draft: Draft) => R | Promise<R>;

/** A staged change. */
interface StagedChange {
  readonly apply: Apply<unknown>;
  /** Used once the line is stored. */
  readonly outcome: Outcome;
  /** The draft's number of writes before and after it. */
  readonly from: number;
  readonly to: number;
}

interface CommitsContext {
  readonly folder: DataFolder;
  /** Called after each stored line. */
  readonly onStored: () => void;
}

export class Commits {
  readonly #queue = new CommitQueue<Apply<unknown>>(AT_ONCE, (changes) => this.#commit(changes));
  #journal: Journal | undefined;

  constructor(readonly context: CommitsContext) {}

  /** Stores changes in this journal from now on. */
  begin(journal: Journal): void {
    this.#journal = journal;
  }

  /** Throws `cannot_store` before `begin`. */
  get journal(): Journal {
    if (!this.#journal) throw cannotStore();
    return this.#journal;
  }

  /** Resolves with the result of `apply` once it is on disk. Throws `cannot_store`, and what `apply` throws. */
  run<R>(apply: Apply<R>): Promise<R> {
    return this.#queue.run(apply);
  }

  /** Runs `work` between changes, after earlier ones are stored. */
  alone<R>(work: () => Promise<R>): Promise<R> {
    return this.#queue.alone(work);
  }

  /** Takes no more changes; resolves once those taken are settled. */
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
    const names = new Set(draft.writes.map(({ entity }) => entity));
    await folder.write(
      [...names].join(", "),
      () => this.journal.append(draft.writes.map(({ json }) => json)),
      maySpendReserve,
    );
    for (const { apply } of draft.writes) apply();
    onStored();
    for (const name of names) folder.listeners.announce(name);
  }

  /** On a full disk, the owner's essential writes are still stored, from the reserve. */
  async #refused(
    draft: Draft,
    staged: readonly StagedChange[],
    error: unknown,
  ): Promise<readonly Outcome[]> {
    const isNeeded = ({ from, to }: StagedChange) =>
      from < to && draft.writes.slice(from, to).every((write) => write.isNeeded);
    const needed = isFull(causeOf(error)) ? staged.filter(isNeeded) : [];
    const second = needed.length > 0 ? await this.#storeNeeded(needed) : [];
    let hasWritten = false;
    return staged.map((each) => {
      const at = needed.indexOf(each);
      if (at >= 0) return present(second[at], "outcome");
      hasWritten ||= each.from < each.to;
      // One that wrote nothing, and came before the first refused write, read only stored values.
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
    // Awaiting each would let others in between.
    const result = made instanceof Promise ? await made : made;
    return { apply, from, to: draft.writes.length, outcome: returning(result) };
  } catch (error) {
    draft.takeBack(from);
    return { apply, from, to: from, outcome: throwing(error) };
  }
}

/** A write in a draft: its line in the journal, and its effect on memory once stored. */
interface DraftedWrite {
  readonly entity: string;
  /** As JSON. */
  readonly json: string;
  /** Stored even on a full disk. */
  readonly isNeeded: boolean;
  readonly apply: () => void;
  /** Removes it from the draft; the last one first. */
  readonly undo: () => void;
}

/** Something that can be changed in a draft. */
export interface Draftable<D extends object = object> {
  /** Only for this draft. */
  draft(draft: Draft): D;
}

export class Draft {
  readonly #drafts = new Map<Draftable, object>();
  readonly writes: DraftedWrite[] = [];
  /** ISO 8601, UTC. */
  at = "";
  /** Writes although nothing changes, so that timing reveals nothing. */
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

  /** Removes all but the first `length` writes. */
  takeBack(length: number): void {
    for (const write of this.writes.splice(length).toReversed()) write.undo();
  }
}
