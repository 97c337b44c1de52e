/** The steps of a form with the fields of each. */
import { useQueries } from "@tanstack/react-query";
import type { Item } from "../../../../../schema/index.ts";
import { entityQuery, useEntity } from "../../../queries/useEntity.ts";

/** A step and its fields; they are missing until they are read. */
export interface StepParts {
  readonly step: Item<"formSteps">;
  readonly fields: readonly Item<"formFields">[] | undefined;
}

/** The state of the read: `value` is missing until the steps are there. */
export interface FormParts {
  readonly value: readonly StepParts[] | undefined;
  readonly error: Error | null;
  readonly reload: () => void;
}

/** Reads every part of a form. */
export function useFormParts(formId: string): FormParts {
  const steps = useEntity("formSteps", formId);
  const fields = useQueries({
    queries: (steps.value ?? []).map((step) => entityQuery("formFields", step.id)),
  });
  const reload = () => {
    steps.reload();
    for (const query of fields) void query.refetch();
  };
  return {
    value: steps.value?.map((step, at) => ({ step, fields: fields[at]?.data?.value })),
    error: steps.error,
    reload,
  };
}
