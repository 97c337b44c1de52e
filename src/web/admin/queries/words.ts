/** What people read after a write, made from the entity's label (spec section 8). */
import { entities, type EntityKey } from "../../../schema/index.ts";

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
