/** Reads a form's steps and fields, and creates new ones. */
import { useQueries } from "@tanstack/react-query";
import { computePositionAfterLast } from "../../../../schema/entities/entity.ts";
import { FIELD_ARRANGEMENT, STEP_ARRANGEMENT } from "../../../../schema/enquiry/forms.ts";
import type { Item } from "../../../../schema/index.ts";
import type { LoadState } from "../../../ui/AsyncContent.tsx";
import type { RequestBody } from "../../data/drafts.ts";
import { createItem, reorderItems } from "../../data/entityWrites.ts";
import { createEntityQuery, useEntity } from "../../data/useEntity.ts";

/** `fields` is undefined until loaded. */
export interface StepWithFields {
  readonly step: Item<"formSteps">;
  readonly fields: readonly Item<"formFields">[] | undefined;
}

export function useFormSteps(formId: string): LoadState<readonly StepWithFields[]> {
  const steps = useEntity("formSteps", formId);
  const fields = useQueries({
    queries: (steps.value ?? []).map((step) => createEntityQuery("formFields", step.id)),
  });
  const reload = () => {
    steps.reload();
    for (const query of fields) void query.refetch();
  };
  return {
    value: steps.value?.map((step, index) => ({ step, fields: fields[index]?.data?.value })),
    error: steps.error,
    reload,
  };
}

/** The body of POST /api/forms. `position` starts at 1. */
export function createFormBody(position: number) {
  return {
    name: `Form ${position}`,
    title: "New Form",
    subtitle: "Enter your details below",
    isActive: true,
  };
}

/** The body of POST /api/form-steps for a new last step. */
export function createStepBody(formId: string, steps: readonly Item<"formSteps">[]) {
  const title = `Step ${steps.length + 1}`;
  const stepOrder = computePositionAfterLast(STEP_ARRANGEMENT, steps);
  return { formId, title, stepOrder, isActive: true };
}

/** The body of POST /api/form-fields for a new last field. */
export function createEmptyFieldBody(stepId: string, fields: readonly Item<"formFields">[]) {
  return {
    stepId,
    fieldType: "text",
    label: "New Field",
    fieldOrder: getNextFieldPosition(fields),
    isRequired: false,
    isActive: true,
  };
}

/** Adds a field at the end of a step, but before the step's consent questions. Throws CallError. */
export async function addFieldBeforeConsent(
  body: RequestBody,
  fields: readonly Item<"formFields">[],
): Promise<Item<"formFields">> {
  const created = await createItem("formFields", body);
  await moveFieldBeforeConsent(created, fields);
  return created;
}

/** Moves a newly added field from the end of its step to the place before the step's consent questions. */
export async function moveFieldBeforeConsent(
  added: Pick<Item<"formFields">, "id" | "fieldType">,
  others: readonly Item<"formFields">[],
): Promise<void> {
  const lastQuestionIndex = others.findLastIndex(({ fieldType }) => fieldType !== "consent");
  const ids = others.map(({ id }) => id);
  if (added.fieldType !== "consent" && lastQuestionIndex < ids.length - 1)
    await reorderItems("formFields", ids.toSpliced(lastQuestionIndex + 1, 0, added.id));
}

export const getNextFieldPosition = (fields: readonly object[]) =>
  computePositionAfterLast(FIELD_ARRANGEMENT, fields);
