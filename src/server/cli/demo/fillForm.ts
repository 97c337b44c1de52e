/** Puts the sample enquiry form and the enquiries it brought into a store. */
import { initialValues } from "../../../schema/check.ts";
import { entities } from "../../../schema/index.ts";
import type { Store } from "../../storage/store.ts";
import { sampleEnquiryForm } from "./sampleEnquiryForm.ts";
import { sampleSubmissions } from "./sampleSubmissions.ts";

type Values = Record<string, unknown>;
type Asked = { id: string; key: string; label: string; type: string };

/** Stores the form, its steps and fields, and the sample submissions, oldest first. */
export async function fillForm(store: Store, now: Date): Promise<void> {
  const { steps, ...form } = sampleEnquiryForm;
  const formId = Bun.randomUUIDv7();
  const asked: Asked[] = [];
  await append(store, "forms", {
    ...initialValues(entities.forms.fields),
    ...form,
    redirectUrl: null,
    id: formId,
    createdAt: now.toISOString(),
  });
  for (const { fields, ...step } of steps) {
    const stepId = Bun.randomUUIDv7();
    await append(store, "form-steps", {
      ...initialValues(entities.formSteps.fields),
      ...step,
      id: stepId,
      formId,
    });
    for (const { key, ...field } of fields as readonly (Values & { key: string })[]) {
      const stored = {
        ...initialValues(entities.formFields.fields),
        ...field,
        id: Bun.randomUUIDv7(),
        stepId,
      };
      asked.push({
        id: stored.id,
        key,
        label: String(field["label"]),
        type: String(field["fieldType"]),
      });
      await append(store, "form-fields", stored);
    }
  }
  await fillSubmissions(store, formId, asked, now);
}

async function append(store: Store, name: string, item: Values): Promise<void> {
  await store.document<Values[]>(name).update((items) => [...items, item]);
}

async function fillSubmissions(
  store: Store,
  formId: string,
  asked: Asked[],
  now: Date,
): Promise<void> {
  const submissions = store.records<Values & { id: string }, unknown>("form-submissions");
  for (const { answers, ...sample } of sampleSubmissions(now).toReversed()) {
    const questions = asked.flatMap(({ key, ...question }) => {
      const answer = answers[key];
      return answer === undefined ? [] : [{ ...question, answer }];
    });
    const data = Object.fromEntries(questions.map(({ id, answer }) => [id, answer]));
    await submissions.insert({
      ...sample,
      id: Bun.randomUUIDv7(),
      formId,
      submittedAt: sample.createdAt,
      submissionData: JSON.stringify(data),
      questions,
    });
  }
}
