/** Stores answers in session storage for a day at most, so that they survive a reload. */
import { effect } from "@preact/signals-react";
import { type RefObject, useEffect } from "react";
import { DEFAULT_DIAL_COUNTRY, findDialPrefix } from "../../../schema/core/countries.ts";
import type { EnquiryField } from "../../../schema/enquiry/enquiry.ts";
import type { Answer, Answers } from "../../../schema/enquiry/questions.ts";
import type { EnquiryState } from "./enquiryState.ts";
import { createEncryptedAnswers, type EncryptedAnswers } from "./encryptedAnswers.ts";

/**
 * Restores stored answers and text typed into `root`, and stores further input, except in previews (`isPersistent` is
 * false). If `isFresh` is false, the page already has newer answers from a post, so the stored ones aren't restored.
 */
export function useStoredAnswers(
  state: EnquiryState,
  rootRef: RefObject<HTMLElement | null>,
  { isPersistent, isFresh }: { isPersistent: boolean; isFresh: boolean },
): void {
  useEffect(() => {
    if (!isPersistent) return;
    const { id, steps } = state.form.value;
    restoreTypedText(state, rootRef.current?.querySelector("form"));
    const storage = createEncryptedAnswers(createStorageKey(id));
    let [isUnmounted, stopStoring] = [false, () => {}];
    const begin = async () => {
      if (isFresh && steps.length > 0) await state.restore(storage.read());
      if (isUnmounted) return;
      void state.ensureStartProof();
      stopStoring = storeOnChange(state, storage);
    };
    void begin();
    return () => {
      isUnmounted = true;
      stopStoring();
    };
  }, [state, rootRef, isPersistent, isFresh]);
}

function storeOnChange(state: EnquiryState, storage: EncryptedAnswers): () => void {
  let hasChanged = false;
  return effect(() => {
    const [step, answers, dialCountries, started] = [
      state.step.value,
      state.answers.value,
      state.dialCountries.value,
      state.startProof.value,
    ];
    const isEmpty = step === 0 && Object.keys(answers).length === 0;
    // Answers that couldn't be decrypted remain stored for the next reload, until something is typed.
    if (isEmpty && !hasChanged) return;
    hasChanged = true;
    if (state.phase.value === "sent" || isEmpty) storage.remove();
    else void storage.store({ step, answers, dialCountries, started });
  });
}

/** Reads text that was typed before hydration, and so is only in the inputs. */
function restoreTypedText(state: EnquiryState, form: HTMLFormElement | null | undefined): void {
  if (!form) return;
  const fields = state.form.value.steps[state.step.value]?.fields ?? [];
  const formData = new FormData(form);
  state.answers.value = { ...state.answers.value, ...readTypedAnswers(fields, formData) };
  state.dialCountries.value = {
    ...state.dialCountries.value,
    ...readChosenPrefixes(fields, formData),
  };
}

/** Reads the countries of the dial prefixes, which answers don't contain: several countries share a prefix. */
function readChosenPrefixes(
  fields: readonly EnquiryField[],
  form: FormData,
): Record<string, string> {
  const entries = fields.flatMap(({ id }) => {
    const [code, number] = [form.get(`prefix:${id}`), String(form.get(id) ?? "")];
    const isChosen = typeof code === "string" && (number !== "" || code !== DEFAULT_DIAL_COUNTRY);
    return isChosen && !number.startsWith("+") ? [[id, code] as const] : [];
  });
  return Object.fromEntries(entries);
}

function readTypedAnswers(fields: readonly EnquiryField[], form: FormData): Answers {
  const answers = fields.map((field) => [field.id, readTypedAnswer(field, form)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => answer.length > 0));
}

function readTypedAnswer({ id, fieldType }: EnquiryField, form: FormData): Answer {
  if (fieldType === "checkbox") return form.getAll(id).map(String);
  const text = String(form.get(id) ?? "");
  if (fieldType !== "international_phone" || text === "" || text.startsWith("+")) return text;
  return `${findDialPrefix(String(form.get(`prefix:${id}`))) ?? ""}${text}`;
}

const createStorageKey = (formId: string) => `limelight.enquiry.${formId}`;
