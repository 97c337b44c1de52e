/** The messages after a write (specification, section 8.3), derived from an entity's declaration. */

export type Write = "save" | "create" | "update" | "delete" | "reorder";

/** The messages after a write; `failure` is used if the server gave none. */
export interface WriteMessages {
  readonly success: string;
  readonly failure: string;
}

/** Messages that aren't derived from the label, by write. */
export type CustomMessages = Readonly<Partial<Record<Write, Partial<WriteMessages>>>>;

/** The part of a declaration that messages are derived from. */
interface Named {
  readonly label: string;
  readonly plural: string;
  readonly messages?: CustomMessages;
}

/** For a singleton, named `subject` in its messages: "Hero content updated successfully". */
export const updatesOf = (subject: string): CustomMessages => ({
  save: writeMessages("update", subject),
});

/** The entity's own messages for a write, else those derived from its label. */
export function messagesFor(entity: Named, write: Write): WriteMessages {
  return { ...defaultMessages(entity, write), ...entity.messages?.[write] };
}

function defaultMessages({ label, plural }: Named, write: Write): WriteMessages {
  return writeMessages(write, write === "reorder" ? plural : label);
}

const writeMessages = (write: Write, subject: string): WriteMessages => ({
  success: `${subject} ${write === "reorder" ? "reordered" : `${write}d`} successfully`,
  failure: `Failed to ${write} ${subject.toLowerCase()}`,
});
