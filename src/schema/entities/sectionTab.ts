/** The settings of a section's editor in the dashboard that don't follow from the label and the fields. */

/** The available icons (web/admin/tabs/sectionIcons.ts). */
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

/** The tab of a section, which has a list or a single value. */
export interface SectionTab {
  /** Default: the icon of a page. An extra's icon is declared with its tab (tabs/extraTabs.ts). */
  readonly icon?: IconName;
  /** A short line beside the title. */
  readonly note?: string;
  /** The content of a section without a list, as named in Styles; default: "your text". */
  readonly contentNote?: string;
  /** The first step for the owner, shown in an empty list. */
  readonly emptyListHint?: string;
  /**
   * Two sample items for an empty list; the first also uses its fields' placeholders. In their texts, `{name}` is the
   * owner's name, `{handle}` the name as one word, and `{year}` the current year. The samples of sections that aren't
   * extras are in web/admin/tabs/examples.tsx.
   */
  readonly examples?: readonly [ExampleItem, ExampleItem];
  readonly rowFields?: RowFields;
  /** The list's subtab, if the section has settings; default: `list`, with the section's name. */
  readonly listSubtab?: readonly [key: string, label: string];
  /** The title above the list; default: "All {plural}". */
  readonly title?: string;
  /** The label of the button for a new item; default: "Add New". */
  readonly addLabel?: string;
  /** The question before deleting an item, or false; default: "Are you sure you want to delete this {label}?" */
  readonly deletionQuestion?: string | false;
  /** Shows the form in a dialog with these titles; default: in the list. */
  readonly dialogTitles?: CreateUpdateLabels;
  /** The labels of the form's button, normally and while saving. */
  readonly saveLabels?: CreateUpdateLabels;
  readonly savingLabels?: CreateUpdateLabels;
  /**
   * Fields side by side in the form, at the position of the row's first field. An order field is shown only as part of
   * such a row.
   */
  readonly formRows?: readonly (readonly [string, string, ...string[]])[];
  /** Rarely needed fields, folded at the end of the form. */
  readonly fold?: { readonly title: string; readonly fields: readonly string[] };
  /** Requests send an item's id with its fields (specification, section 8.3). */
  readonly shouldSendId?: true;
  /** Fields left out of requests if they are empty now and in the stored item. So are those of every display period. */
  readonly fieldsSentIfSet?: readonly string[];
  /** Save is disabled until these fields are filled in. */
  readonly fieldsRequiredToSave?: readonly string[];
  /** The form with the section's settings. */
  readonly settings?: {
    readonly label?: string;
    /** Saves automatically this long after the last change, in milliseconds. */
    readonly autosaveDelayMs?: number;
  };
  /** The preview's position: beside the list (default), only beside the settings, or in a subtab. */
  readonly previewPosition?: "beside" | "inSettings" | "inSubtab";
  /** How many items the preview shows, if not all. */
  readonly previewCount?: number;
}

/** The values of an item's fields. */
export type ExampleItem = Readonly<Record<string, unknown>>;

export type CreateUpdateLabels = readonly [ofNew: string, ofStored: string];

/** The fields shown in a row; default: the first picture and the first two lines of text. */
export interface RowFields {
  readonly picture?: string;
  /** The picture is a logo: shown whole, on its own background. */
  readonly isLogo?: true;
  /** An item's title; `false` numbers it: "Transformation #2". */
  readonly title?: string | false;
  readonly line?: string;
}

/** The question before deleting an item; undefined if there is none. */
export function createDeletionQuestion({ label, tab }: ListDeclaration): string | undefined {
  if (tab?.deletionQuestion === false) return undefined;
  return tab?.deletionQuestion ?? `Are you sure you want to delete this ${label.toLowerCase()}?`;
}

/** The text in place of the preview of an empty list. */
export const createPreviewHint = ({ label }: Pick<ListDeclaration, "label">): string =>
  `Add your first ${label.slice(label.lastIndexOf(" ") + 1).toLowerCase()} to preview it here.`;

/** The part of a list's declaration that these texts need. */
interface ListDeclaration {
  readonly label: string;
  readonly tab?: Pick<SectionTab, "deletionQuestion">;
}
