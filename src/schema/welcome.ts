/** How far the owner has come in setting up the site (specification, section 3.2). */
import { singleton } from "./entity.ts";
import { choice, order } from "./fields.ts";

/** Nobody reads these: they tell the welcome and the dashboard what to show. */
const states = <const T extends string>(...values: readonly T[]) =>
  values.map((value) => ({ value, label: value }));

/** A site that was there before it has `none`: neither a welcome nor a checklist. */
export const welcome = singleton("welcome", "Welcome", {
  permission: "site",
  readers: "owner",
  history: false,
  fields: {
    state: choice("Welcome", states("none", "open", "later", "done"), "none"),
    step: order("Step"),
    checklist: choice("What's next", states("shown", "hidden", "done"), "shown"),
  },
});
