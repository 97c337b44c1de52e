/** A tab's own save button: neutral, off until something changed (look/admin.md). */
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "../data/useDraft.ts";

// Cancel and Save under the form of one item.

/** `save` and `pending` are the words of the button, by default those of the declaration's label. */
interface ItemActionsProps {
  readonly draft: Draft<any>;
  readonly onClose: () => void;
  readonly save?: string;
  readonly pending?: string;
  /** Off until what is needed is there (spec section 5). */
  readonly disabled?: boolean;
}

/** Renders the buttons; cancelling forgets what was typed. */
export function ItemActions(props: ItemActionsProps) {
  const { draft, onClose, save, pending = "Saving...", disabled = false } = props;
  const label = entities[draft.key as keyof typeof entities].label.toLowerCase();
  const isNew = draft.id.endsWith("/new");
  const words = save ?? (isNew ? `Add ${label}` : `Save ${label}`);
  // Saving what is as it was stored has nothing to send; it closes all the same (spec section 4).
  const unchanged = !isNew && draft.dirty.length === 0;
  const saving = draft.phase === "saving";
  const cancel = () => {
    draft.discard();
    onClose();
  };
  return (
    <div className="item-actions">
      <Button variant="quiet" onClick={cancel} disabled={saving}>
        Cancel
      </Button>
      <Button
        variant="primary"
        type="submit"
        pending={saving}
        disabled={disabled}
        onClick={() => (unchanged ? onClose() : void draft.save())}
      >
        {saving ? pending : words}
      </Button>
    </div>
  );
}

/** Saves every draft given, in turn. */
interface SaveButtonProps {
  readonly drafts: readonly Draft<any>[];
  readonly children: string;
}

/** Renders the button. */
export function SaveButton({ drafts, children }: SaveButtonProps) {
  const pending = drafts.some((draft) => draft.phase === "saving");
  const dirty = drafts.filter((draft) => draft.dirty.length > 0);
  const save = async () => {
    // One toast is shown at a time: in turn, so that the last words are about the last write.
    for (const draft of dirty) await draft.save(); // oxlint-disable-line no-await-in-loop
  };
  return (
    <Button pending={pending} disabled={dirty.length === 0} onClick={() => void save()}>
      {pending ? "Saving..." : children}
    </Button>
  );
}
