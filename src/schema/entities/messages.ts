/** The messages after a write (specification, section 8.3), derived from an entity's declaration. */

export type WriteKind = "save" | "create" | "update" | "delete" | "reorder";

/** The messages after a write. `failure` is shown if the server returned no message. */
export interface WriteMessages {
  readonly success: string;
  readonly failure: string;
}

export type CustomMessages = Readonly<Partial<Record<WriteKind, Partial<WriteMessages>>>>;

interface MessageSubject {
  readonly label: string;
  readonly plural: string;
  readonly messages?: CustomMessages;
}

/** Returns a singleton's messages with `subject` instead of its label, such as "Hero content updated successfully". */
export const createUpdateMessages = (subject: string): CustomMessages => ({
  save: createWriteMessages("update", subject),
});

/** Returns the messages for a write: those that the entity declares, else those derived from its label. */
export function getWriteMessages(entity: MessageSubject, write: WriteKind): WriteMessages {
  const subject = write === "reorder" ? entity.plural : entity.label;
  return { ...createWriteMessages(write, subject), ...entity.messages?.[write] };
}

const createWriteMessages = (write: WriteKind, subject: string): WriteMessages => ({
  success: `${subject} ${write === "reorder" ? "reordered" : `${write}d`} successfully`,
  failure: `Failed to ${write} ${subject.toLowerCase()}`,
});
