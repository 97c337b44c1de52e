/** Buttons for forms, steps and fields: Add, and the Active badge. Each saves at once. */
import Plus from "lucide-react/icons/plus";
import { createChangeBody } from "../../../../schema/entities/check.ts";
import { entities, type Item } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { updateItem } from "../../data/entityWrites.ts";
import { Callout } from "../../parts/Callout.tsx";
import { Badge } from "../../parts/Card.tsx";
import { type StepWithFields, useFormSteps } from "./formSteps.ts";

interface AddButtonProps<K extends "formSteps" | "formFields"> {
  readonly entity: K;
  readonly add: () => Promise<Item<K>>;
  readonly onAdded?: (item: Item<K>) => void;
  readonly children: string;
}

export function AddButton<K extends "formSteps" | "formFields">(props: AddButtonProps<K>) {
  const { entity, add: create, onAdded, children } = props;
  const [isPending, add] = useAction(
    async () => onAdded?.(await create()),
    getWriteMessages(entities[entity], "create"),
  );
  return (
    <Button isPending={isPending} onClick={add}>
      <Plus size={16} aria-hidden="true" /> {children}
    </Button>
  );
}

interface ActiveToggleProps<K extends "forms" | "formSteps"> {
  readonly entity: K;
  readonly item: Item<K>;
}

export function ActiveToggle<K extends "forms" | "formSteps">(props: ActiveToggleProps<K>) {
  const { item } = props;
  const [isPending, toggle] = useActiveToggle(props);
  const { title, isActive } = item as Item<"forms">;
  const label = isActive ? "Active" : "Inactive";
  return (
    <button
      type="button"
      className="badge-button row"
      aria-label={`${label}: ${title}`}
      aria-busy={isPending || undefined}
      title={isActive ? "Deactivate" : "Activate"}
      onClick={isPending ? undefined : toggle}
    >
      <Badge tone={isActive ? "ok" : "neutral"} hasDot>
        {label}
      </Badge>
    </button>
  );
}

function useActiveToggle<K extends "forms" | "formSteps">({ entity, item }: ActiveToggleProps<K>) {
  const { id, isActive } = item as Item<"forms">;
  return useAction(
    () =>
      updateItem(entity, id, { ...createChangeBody(entities[entity], item), isActive: !isActive }),
    getWriteMessages(entities[entity], "update"),
  );
}

export function NoQuestionsWarning({ form }: { readonly form: Item<"forms"> }) {
  const { value: steps } = useFormSteps(form.id);
  const [isPending, toggle] = useActiveToggle({ entity: "forms", item: form });
  if (!steps || steps.some(canHaveQuestions)) return null;
  return (
    <Callout
      tone="warn"
      action={
        <Button size="small" isPending={isPending} onClick={toggle}>
          Deactivate
        </Button>
      }
    >
      <output>This form is active but has no questions yet.</output>
    </Callout>
  );
}

/** Whether visitors may see a question in this step; also true until the fields are loaded. */
const canHaveQuestions = ({ step, fields }: StepWithFields): boolean =>
  fields === undefined || (step.isActive && fields.some(({ isActive }) => isActive));
