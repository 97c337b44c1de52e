/** The owner's progress in setting up the site (specification, section 3.2). */
import { singleton } from "../entities/entity.ts";
import { choice, order } from "../kinds/fields.ts";

/** The states of the setup, on which the welcome assistant and the dashboard depend. They are never displayed. */
const stateField = <const T extends string>(...values: readonly T[]) =>
  values.map((value) => ({ value, label: value }));

/** `none` is for a site that is older than the assistant. It gets neither assistant nor checklist. */
export const welcome = singleton("welcome", "Welcome", {
  permission: "site",
  readers: "owner",
  hasHistory: false,
  fields: {
    state: choice("Welcome", stateField("none", "open", "later", "done"), "none"),
    step: order("Step"),
    checklist: choice("Next steps", stateField("shown", "hidden", "done"), "shown"),
  },
});
