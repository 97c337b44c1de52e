/** The extras that are on. */
import { singleton } from "../entities/entity.ts";
import { EXTRAS } from "./extras.ts";
import { names } from "../kinds/fields.ts";

/** Unknown names that are already stored are retained: another release switched those extras on. */
export const extras = singleton("extras", "Extras", {
  messages: { save: { failure: "Couldn't change your sections" } },
  checkItemRules({ on }, before): Record<string, string> {
    const isAllowed = (name: string) =>
      EXTRAS.some(({ key }) => key === name) || !before || before.on.includes(name);
    return on.every(isAllowed) ? {} : { on: "This section doesn't exist." };
  },
  fields: { on: names("Turned on") },
});
