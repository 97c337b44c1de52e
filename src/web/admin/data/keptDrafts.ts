/** Keeps drafts on this device, a key for each, where every window of this browser reads and writes them. */
import { entities } from "../../../schema/index.ts";
import { atRest, drafts, type DraftState } from "./drafts.ts";

/** Before the id of a draft: where it lies on the device. */
export const PREFIX = "limelight:draft:";

/** Release 0.1 kept all of them under one key. */
const TOGETHER = "limelight:drafts";

let kept = true;

/** False when this browser could not keep what was typed. */
export const areDraftsKept = () => kept;

/** What lies on the device as far as this window knows, by id: only what differs is written. */
export const known = new Map<string, string>();

/** Keeps drafts over a closed tab or an empty battery; a browser without room or permission keeps less. */
export function writeKept(unsaved: readonly DraftState[]): void {
  const texts = new Map(unsaved.map((draft) => [draft.id, JSON.stringify(atRest(draft))]));
  try {
    for (const id of known.keys())
      if (!texts.has(id)) {
        localStorage.removeItem(PREFIX + id);
        known.delete(id);
      }
    for (const [id, text] of texts)
      if (known.get(id) !== text) {
        localStorage.setItem(PREFIX + id, text);
        known.set(id, text);
      }
    kept = true;
  } catch {
    kept = unsaved.length === 0;
    // The drafts still live in this page; leaving it asks first.
  }
}

/** The drafts of an earlier visit, by id; none when they can't be read. */
export function readKept(): Record<string, DraftState> {
  const found: Record<string, DraftState> = {};
  try {
    takeApart();
    for (const name of keptNames()) {
      const text = localStorage.getItem(name);
      const draft = text === null ? undefined : draftIn(text);
      if (text === null || !draft) continue;
      known.set(draft.id, text);
      found[draft.id] = draft;
    }
  } catch {
    // A browser that lets nothing be read has kept nothing.
  }
  return found;
}

const keptNames = () => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));

function takeApart(): void {
  const together = localStorage.getItem(TOGETHER);
  if (!together) return;
  for (const draft of JSON.parse(together) as DraftState[])
    localStorage.setItem(PREFIX + draft.id, JSON.stringify(draft));
  localStorage.removeItem(TOGETHER);
}

/**
 * A kept draft; undefined for one that this release can't read, which stays on the device for the
 * release that wrote it.
 */
export function draftIn(text: string): DraftState | undefined {
  try {
    const draft = JSON.parse(text) as DraftState;
    const isWhole = typeof draft.name === "string" && Object.keys(draft.changes).length > 0;
    return isWhole && isKnown(draft) ? atRest(draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Forms that send themselves (useTyped.ts) may be of what the server alone declares. */
function isKnown({ key, sendsItself }: DraftState): boolean {
  return Object.hasOwn(entities, key) || sendsItself === true;
}

/** Leaves nothing of any draft on this device, those of other releases included. */
export function deleteDrafts(): void {
  drafts.value = {};
  try {
    for (const name of keptNames()) localStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
