/** Whether visitors see a step; pressing it changes that. */
import type { Item } from "../../../../../schema/index.ts";
import { useUpdate } from "../../../queries/mutations.ts";
import { ActiveBadge } from "../ActiveBadge.tsx";
import { stepBody } from "../bodies.ts";

/** Renders the badge. */
export function StepBadge({ step }: { step: Item<"formSteps"> }) {
  const update = useUpdate("formSteps");
  const toggle = () =>
    update.mutate({ id: step.id, ...stepBody({ ...step, isActive: !step.isActive }) });
  return (
    <ActiveBadge
      name={step.title}
      active={step.isActive}
      pending={update.isPending}
      onToggle={toggle}
    />
  );
}
