/** The settings of a section's tab in the dashboard that can't be derived from the label and the fields. */

/** The names of the available icons (web/admin/tabs/sectionIcons.ts). */
export type IconName =
  | "chart"
  | "graduation"
  | "image"
  | "images"
  | "layout"
  | "link"
  | "newspaper"
  | "sparkles"
  | "user";

export interface SectionTab {
  /** The tab's icon; default: a page. The icons of extras are declared in web/admin/tabs/extraTabs.ts. */
  readonly icon?: IconName;
  readonly note?: string;
  /** The words for a singleton's content in the list of sections on the Styles tab; default: "your text". */
  readonly contentNote?: string;
  /** A sentence in an empty list that tells the owner what to add. */
  readonly emptyListHint?: string;
  /**
   * Two sample items for an empty list. The first also shows placeholders. `{name}` is the owner's name, `{handle}` the
   * name as one word, and `{year}` the current year. Sections that aren't extras have theirs in
   * web/admin/tabs/examples.tsx.
   */
  readonly examples?: readonly [ExampleItem, ExampleItem];
  readonly rowFields?: RowFields;
  /** The subtab of the list, if the section also has settings; default: the key `list` and the section's name. */
  readonly listSubtab?: readonly [key: string, label: string];
  /** The title above the list; default: "All {plural}". */
  readonly title?: string;
  /** The label of the button for a new item; default: "Add New". */
  readonly addLabel?: string;
  /** The question before deleting an item, or false; default: "Are you sure you want to delete this {label}?" */
  readonly deletionQuestion?: string | false;
  /** The titles of the dialog with an item's form; by default the form is in the list, without a dialog. */
  readonly dialogTitles?: CreateUpdateLabels;
  /** The labels of the form's button; `savingLabels` are shown while saving. */
  readonly saveLabels?: CreateUpdateLabels;
  readonly savingLabels?: CreateUpdateLabels;
  /** The names of fields that are side by side in the form. An order field is shown only in such a row. */
  readonly formRows?: readonly (readonly [string, string, ...string[]])[];
  /** Rarely needed fields, collapsed at the end of the form. */
  readonly fold?: { readonly title: string; readonly fields: readonly string[] };
  /** True if a request contains the item's id among its fields (specification, section 8.3). */
  readonly shouldSendId?: true;
  /** The fields that a request omits if they are empty in the form and in the stored item, as display periods are. */
  readonly fieldsSentIfSet?: readonly string[];
  /** The fields without which the button Save is disabled. */
  readonly fieldsRequiredToSave?: readonly string[];
  readonly settings?: {
    readonly label?: string;
    /** The milliseconds between the last change and the automatic save; by default nothing is saved automatically. */
    readonly autosaveDelayMs?: number;
  };
  /** The preview's position: beside the list and the settings (default), beside the settings only, or in a subtab. */
  readonly previewPosition?: "beside" | "inSettings" | "inSubtab";
  /** The number of items in the preview; default: all. */
  readonly previewCount?: number;
}

export type ExampleItem = Readonly<Record<string, unknown>>;

export type CreateUpdateLabels = readonly [ofNew: string, ofStored: string];

/** The fields that a row of the list shows; default: the first picture and the first two lines of text. */
export interface RowFields {
  readonly picture?: string;
  /** True if the picture is a logo, which is shown uncropped. */
  readonly isLogo?: true;
  /** The field with the item's title; false for a number instead, such as "Transformation #2". */
  readonly title?: string | false;
  readonly line?: string;
}

export function createDeletionQuestion({ label, tab }: ListDeclaration): string | undefined {
  if (tab?.deletionQuestion === false) return undefined;
  return tab?.deletionQuestion ?? `Are you sure you want to delete this ${label.toLowerCase()}?`;
}

/** Returns the text that an empty list shows instead of a preview. */
export const createPreviewHint = ({ label }: Pick<ListDeclaration, "label">): string =>
  `Add your first ${label.slice(label.lastIndexOf(" ") + 1).toLowerCase()} to preview it here.`;

interface ListDeclaration {
  readonly label: string;
  readonly tab?: Pick<SectionTab, "deletionQuestion">;
}
