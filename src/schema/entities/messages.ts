/** The messages after a write (specification, section 8.3), derived from an entity's declaration. */

export type WriteKind = "save" | "create" | "update" | "delete" | "reorder";

/** The messages after a write. `failure` is used if the server returned no message. */
export interface WriteMessages {
  readonly success: string;
  readonly failure: string;
}

/** Messages that aren't derived from the label, by write. */
export type CustomMessages = Readonly<Partial<Record<WriteKind, Partial<WriteMessages>>>>;

/** The part of a declaration that messages are derived from. */
interface MessageSubject {
  readonly label: string;
  readonly plural: string;
  readonly messages?: CustomMessages;
}

/** Returns a singleton's messages with `subject` instead of its label: "Hero content updated successfully". */
export const createUpdateMessages = (subject: string): CustomMessages => ({
  save: createWriteMessages("update", subject),
});

/** The entity's own messages for a write, else those derived from its label. */
export function getWriteMessages(entity: MessageSubject, write: WriteKind): WriteMessages {
  const subject = write === "reorder" ? entity.plural : entity.label;
  return { ...createWriteMessages(write, subject), ...entity.messages?.[write] };
}

const createWriteMessages = (write: WriteKind, subject: string): WriteMessages => ({
  success: `${subject} ${write === "reorder" ? "reordered" : `${write}d`} successfully`,
  failure: `Failed to ${write} ${subject.toLowerCase()}`,
});
