/** What people read after a write, made from the entity's label (spec section 8). */
import { signal } from "@preact/signals-react";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { CallFailed } from "../../api.ts";
import { showToast, type ToastRequest } from "../../ui/toast.ts";

// Says to assistive technology what the eye sees: a moved row, a finished upload.

/** What the live region reads out. */
export const announcement = signal("");

/** Reads `words` out politely. */
export function announce(words: string): void {
  // The same words twice are read twice only when the text differs.
  announcement.value = announcement.value === words ? `${words}\u00a0` : words;
}

// The dashboard's toasts (spec section 8): "Success" or "Error" above the words.

/** Says that a write worked, perhaps with a way back. */
export function toastSuccess(description: string, action?: ToastRequest["action"]): void {
  showToast({ title: "Success", description, ...(action ? { action } : {}) });
}

/** Says why a write failed: the server's words, else `fallback`. */
export function toastFailure(error: unknown, fallback: string): void {
  toastError(failureWords(error, fallback));
}

/** Says that something can't be done. */
export function toastError(description: string): void {
  showToast({ title: "Error", description, destructive: true });
}

/** The server's words, or `fallback` when it gave none or was not reached (spec section 8). */
export function failureWords(error: unknown, fallback: string): string {
  return error instanceof CallFailed && error.message !== "" ? error.message : fallback;
}

/** The kinds of write. */
export type Verb = "save" | "create" | "update" | "delete" | "reorder";

/** The words after a write; `failure` stands in when the server gave none. */
export interface Words {
  readonly success: string;
  readonly failure: string;
}

/** Where the specification's words are not the label's. */
const OWN: Partial<Record<EntityKey, Partial<Record<Verb, Partial<Words>>>>> = {
  hero: {
    save: {
      success: "Hero content updated successfully",
      failure: "Failed to update hero content",
    },
  },
  about: {
    save: {
      success: "About content updated successfully",
      failure: "Failed to update about content",
    },
  },
  styles: {
    save: {
      success: "Site styles updated successfully",
      failure: "Failed to update site styles",
    },
  },
  pressSettings: { save: { failure: "Failed to save press settings" } },
  connectLinks: {
    create: { success: "Connect link saved successfully" },
    update: { success: "Connect link saved successfully" },
  },
};

/** The success and failure words of a write. */
export function wordsFor(key: EntityKey, verb: Verb): Words {
  return { ...derived(entities[key].label, verb), ...OWN[key]?.[verb] };
}

function derived(label: string, verb: Verb): Words {
  const small = label.toLowerCase();
  if (verb === "save")
    return {
      success: `${label} saved successfully`,
      failure: small.endsWith("settings") ? "Failed to save settings" : `Failed to save ${small}`,
    };
  if (verb === "reorder")
    return {
      success: `${label}s reordered successfully`,
      failure: `Failed to reorder ${small}s`,
    };
  return { success: `${label} ${verb}d successfully`, failure: `Failed to ${verb} ${small}` };
}
