/** How far the owner has come in setting up the site (specification, section 3.2). */
import { singleton } from "./entity.ts";
import { choice, order } from "./fields.ts";

const STATES = [
  { value: "none", label: "Not offered" },
  { value: "open", label: "Open" },
  { value: "later", label: "Put off" },
  { value: "done", label: "Finished" },
] as const;

const CHECKLISTS = [
  { value: "shown", label: "On the Hero tab" },
  { value: "hidden", label: "In the account menu" },
  { value: "done", label: "Gone" },
] as const;

/** A site that was there before it has `none`: neither a welcome nor a checklist. */
export const welcome = singleton("welcome", "Welcome", {
  permission: "site",
  readers: "owner",
  history: false,
  fields: {
    state: choice("Welcome", STATES, "none"),
    step: order("Step"),
    checklist: choice("What's next", CHECKLISTS, "shown"),
  },
});
