/** How the dashboard edits a section, as far as it doesn't follow from the label and the fields. */

/** The icons there are (web/admin/tabs/icons.ts). */
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

/** The tab of a section: of its list, or of its one value. */
export interface SectionTab {
  /** Default: a page's; an extra's stands with its tab (tabs/extraTabs.ts). */
  readonly icon?: IconName;
  /** One line beside the title. */
  readonly note?: string;
  /** What to do first, in a list without items. */
  readonly empty?: string;
  /**
   * Two items as they could be, in a list without any; the first has the placeholders of its fields too. In texts
   * `{name}` is the owner's name, `{handle}` that as one word, `{year}` this one. Sections have theirs in web/admin/editor/examples.ts.
   */
  readonly examples?: readonly [ExampleItem, ExampleItem];
  readonly row?: RowFields;
  /** The list's own subtab, where the section has settings; by default `list`, called as the section. */
  readonly list?: readonly [key: string, label: string];
  /** Over the list; by default "All {plural}". */
  readonly title?: string;
  /** The button of a new item; by default "Add New". */
  readonly add?: string;
  /** Asked before an item is deleted, or false; by default "Are you sure you want to delete this {label}?" */
  readonly asks?: string | false;
  /** The form stands in a dialog of these titles; by default in the list. */
  readonly dialog?: ForNewAndStored;
  /** The words of its button, and while it saves. */
  readonly save?: ForNewAndStored;
  readonly saving?: ForNewAndStored;
  /** Fields of the form, and those that are sent; by default all. */
  readonly only?: readonly string[];
  readonly send?: readonly string[];
  /** Of those the ones that are left out while they are empty and were so before. */
  readonly sendIfSet?: readonly string[];
  /** Save is off until these hold something. */
  readonly needs?: readonly string[];
  readonly settings?: {
    readonly label?: string;
    /** Saves by itself this long after the last change, in milliseconds. */
    readonly autosave?: number;
  };
  /** Where the section is seen: beside its list (by default), only beside its settings, or in a subtab. */
  readonly seen?: "beside" | "inSettings" | "inSubtab";
  /** How many items are pictured, where it is not all of them. */
  readonly shown?: number;
}

/** What is told of an item by its fields. */
export type ExampleItem = Readonly<Record<string, unknown>>;

export type ForNewAndStored = readonly [ofNew: string, ofStored: string];

/** The fields that a row shows; by default the first picture and the first two lines of text. */
export interface RowFields {
  readonly picture?: string;
  /** The picture is a logo: shown whole, on a ground of its own. */
  readonly isLogo?: true;
  /** What an item is called by; `false` where it is counted: "Transformation #2". */
  readonly title?: string | false;
  readonly line?: string;
}

/** Asked before an item is deleted; undefined: nothing is asked. */
export function deletionQuestion({ label, tab }: DeclaredList): string | undefined {
  const { asks = `Are you sure you want to delete this ${label.toLowerCase()}?` } = tab ?? {};
  return asks === false ? undefined : asks;
}

/** What to do so that a preview of a list without items has something to show. */
export const previewHint = ({ label }: Pick<DeclaredList, "label">): string =>
  `Add a ${label.slice(label.lastIndexOf(" ") + 1).toLowerCase()} to see it here.`;

/** What of a list its sentences are made of. */
interface DeclaredList {
  readonly label: string;
  readonly tab?: Pick<SectionTab, "asks">;
}
