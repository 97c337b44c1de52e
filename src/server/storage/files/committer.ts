/** Stores queued changes in a folder: appends them to the journal as one line, then applies them to memory. */
import { cannotStore } from "../../shared/errors.ts";
import {
  CommitQueue,
  type CommitOutcome,
  createResultOutcome,
  createErrorOutcome,
} from "../commitQueue.ts";
import type { DataFolder } from "./dataFolder.ts";
import type { Journal } from "./journal.ts";
import { isDiskFull } from "../disk/diskReserve.ts";
import { getErrorCause } from "../../shared/errorDetails.ts";

const MAX_CHANGES_PER_LINE = 500;

type ApplyChange<R> = (commit: StagedCommit) => R | Promise<R>;

interface StagedChange {
  readonly apply: ApplyChange<unknown>;
  /** The result of `apply`. The caller gets it once the line is stored. */
  readonly outcome: CommitOutcome;
  /** This change's writes are those in `commit.writes` from `writesStart` up to, but not including, `writesEnd`. */
  readonly writesStart: number;
  readonly writesEnd: number;
}

export class Committer {
  readonly #queue = new CommitQueue<ApplyChange<unknown>>(MAX_CHANGES_PER_LINE, (changes) =>
    this.#commit(changes),
  );
  #journal: Journal | undefined;

  /** `onStored` is called after each line that was stored. */
  constructor(
    readonly folder: DataFolder,
    readonly onStored: () => void,
  ) {}

  /** Sets the journal in which changes are stored. Before this call, changes are refused. */
  begin(journal: Journal): void {
    this.#journal = journal;
  }

  /** The journal that `begin` set. Throws `cannot_store` before `begin`. */
  get journal(): Journal {
    if (!this.#journal) throw cannotStore();
    return this.#journal;
  }

  /** Resolves with the result of `apply` once its writes are stored. Throws `cannot_store`, and what `apply` throws. */
  run<R>(apply: ApplyChange<R>): Promise<R> {
    return this.#queue.run(apply);
  }

  /** Runs `work` between two commits, once all earlier changes are stored. */
  runExclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#queue.runExclusively(work);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #commit(changes: readonly ApplyChange<unknown>[]): Promise<readonly CommitOutcome[]> {
    const { commit, stagedChanges } = await stageChanges(changes);
    const outcomes = stagedChanges.map(({ outcome }) => outcome);
    if (commit.writes.length === 0 && !commit.isLineRequired) return outcomes;
    try {
      await this.#store(commit);
      return outcomes;
    } catch (error) {
      return this.#refuseCommit(commit, stagedChanges, error);
    }
  }

  /** Appends a commit's line, then applies it to memory. Throws `cannot_store`. */
  async #store(commit: StagedCommit, canUseReserve = false): Promise<void> {
    const { folder, onStored } = this;
    const names = new Set(commit.writes.map(({ entity }) => entity));
    await folder.write(
      [...names].join(", "),
      () => this.journal.append(commit.writes.map(({ json }) => json)),
      canUseReserve,
    );
    for (const { afterCommit } of commit.writes) afterCommit();
    onStored();
    for (const name of names) folder.listeners.notifyAll(name);
  }

  /** Refuses the changes of a failed commit. On a full disk, first stores the essential ones in the reserved space. */
  async #refuseCommit(
    commit: StagedCommit,
    stagedChanges: readonly StagedChange[],
    error: unknown,
  ): Promise<readonly CommitOutcome[]> {
    const isEssential = ({ writesStart, writesEnd }: StagedChange) =>
      writesStart < writesEnd &&
      commit.writes.slice(writesStart, writesEnd).every((write) => write.isNeededOnFullDisk);
    const essentialChanges = isDiskFull(getErrorCause(error))
      ? stagedChanges.filter(isEssential)
      : [];
    const storedOutcomes = await this.#storeEssential(essentialChanges);
    let hasRefusedWrite = false;
    return stagedChanges.map((each) => {
      const storedOutcome = storedOutcomes.get(each.apply);
      if (storedOutcome) return storedOutcome;
      hasRefusedWrite ||= each.writesStart < each.writesEnd;
      // A change without writes succeeds if it comes before the first refused write, since it read only stored values.
      return hasRefusedWrite ? createErrorOutcome(error) : each.outcome;
    });
  }

  /** Stores changes in a separate commit. Returns their outcomes, or an empty map if this commit fails too. */
  async #storeEssential(
    changes: readonly StagedChange[],
  ): Promise<ReadonlyMap<ApplyChange<unknown>, CommitOutcome>> {
    if (changes.length === 0) return new Map();
    const { commit, stagedChanges } = await stageChanges(changes.map(({ apply }) => apply));
    try {
      await this.#store(commit, true);
      return new Map(stagedChanges.map(({ apply, outcome }) => [apply, outcome]));
    } catch {
      return new Map();
    }
  }
}

/** Stages changes in order. If a change throws after staging a write, stages all other changes again. */
async function stageChanges(
  changes: readonly ApplyChange<unknown>[],
  errorsByChange: ReadonlyMap<ApplyChange<unknown>, unknown> = new Map(),
): Promise<{ commit: StagedCommit; stagedChanges: StagedChange[] }> {
  const commit = new StagedCommit();
  const stagedChanges: StagedChange[] = [];
  for (const apply of changes) {
    const writesStart = commit.writes.length;
    commit.committedAt = new Date().toISOString();
    let outcome: CommitOutcome;
    try {
      if (errorsByChange.has(apply)) throw errorsByChange.get(apply);
      outcome = createResultOutcome(await apply(commit));
    } catch (error) {
      if (commit.writes.length > writesStart)
        return stageChanges(changes, new Map(errorsByChange).set(apply, error));
      outcome = createErrorOutcome(error);
    }
    stagedChanges.push({ apply, writesStart, writesEnd: commit.writes.length, outcome });
  }
  return { commit, stagedChanges };
}

/** One write of a commit. `json` is its part of the journal's line; `afterCommit` applies the write to memory. */
interface StagedWrite {
  readonly entity: string;
  readonly json: string;
  /** True if the write may use the space reserved for a full disk. */
  readonly isNeededOnFullDisk: boolean;
  readonly afterCommit: () => void;
}

/** A document or list that a commit can change. */
export interface Stageable<S extends object = object> {
  /** Creates the staged state, which a commit's changes read and write before they are stored. */
  stage(commit: StagedCommit): S;
}

/** The staged changes of one commit. Reads within the commit see the changes before they are stored. */
export class StagedCommit {
  readonly #stagedStates = new Map<Stageable, object>();
  readonly writes: StagedWrite[] = [];
  /** The time of the change that is being staged, in ISO 8601, UTC. */
  committedAt = "";
  /** True if a line is appended even without writes, so that the response time doesn't reveal if a record exists. */
  isLineRequired = false;

  getStagedState<S extends object>(stageable: Stageable<S>): S {
    let state = this.#stagedStates.get(stageable) as S | undefined;
    if (!state) {
      state = stageable.stage(this);
      this.#stagedStates.set(stageable, state);
    }
    return state;
  }
}
