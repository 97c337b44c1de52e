/** Buttons of forms, steps and fields that write at once: Add, and Active or Inactive. */
import Plus from "lucide-react/icons/plus";
import { entities, type Item } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/messages.ts";
import { Button } from "../../../ui/Button.tsx";
import { usePending } from "../../data/usePending.ts";
import { type Body, createItem, updateItem, withToast } from "../../data/writes.ts";
import { Badge } from "../../parts/Card.tsx";

/** `body` is what the new one begins with; `onAdded` gets it as it was stored. */
interface AddButtonProps<K extends "forms" | "formSteps" | "formFields"> {
  readonly entity: K;
  readonly body: Body;
  readonly primary?: boolean;
  readonly onAdded?: (item: Item<K>) => void;
  readonly children: string;
}

/** Adds a form, a step or a field. */
export function AddButton<K extends "forms" | "formSteps" | "formFields">(
  props: AddButtonProps<K>,
) {
  const { entity, body, primary = false, onAdded, children } = props;
  const [pending, run] = usePending();
  const add = async () => {
    const added = await withToast(messagesFor(entities[entity], "create"), () =>
      createItem(entity, body),
    );
    if (added) onAdded?.(added);
  };
  return (
    <Button
      variant={primary ? "primary" : "neutral"}
      pending={pending}
      onClick={() => void run(add)}
    >
      <Plus size={16} aria-hidden="true" /> {children}
    </Button>
  );
}

/** Whether visitors see a form or a step; `send` are the fields that its update carries. */
interface ActiveBadgeProps<K extends "forms" | "formSteps"> {
  readonly entity: K;
  readonly item: Item<K>;
  readonly send: readonly (keyof Item<K> & string)[];
}

/** Active or Inactive; pressing it makes it the other. */
export function ActiveBadge<K extends "forms" | "formSteps">(props: ActiveBadgeProps<K>) {
  const { entity, item, send } = props;
  const [pending, run] = usePending();
  const { id, title, isActive } = item as Item<"forms">;
  const words = isActive ? "Active" : "Inactive";
  const toggle = async () => {
    const toggled = { ...item, isActive: !isActive };
    const body = Object.fromEntries(send.map((name) => [name, toggled[name]]));
    await withToast(messagesFor(entities[entity], "update"), () => updateItem(entity, id, body));
  };
  return (
    <button
      type="button"
      className="badge-button"
      aria-label={`${words}: ${title}`}
      aria-busy={pending || undefined}
      title={isActive ? "Make inactive" : "Make active"}
      onClick={pending ? undefined : () => void run(toggle)}
    >
      <Badge tone={isActive ? "ok" : "neutral"} dot>
        {words}
      </Badge>
    </button>
  );
}
