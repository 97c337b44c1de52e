/** The dialog that adds, changes and removes a link in rich text. */
import type { IJodit } from "jodit/esm/types/jodit";
import { removeInvisible } from "../../../schema/core/invisibleCharacters.ts";
import { completeUrl, toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { createRefusal } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../ui/Form.tsx";
import { createFormPortal } from "../parts/formPortal.ts";

/** The selection when the dialog opens. `link` is the link around it, or null. */
export interface LinkSelection {
  readonly range: Range;
  readonly link: HTMLAnchorElement | null;
}

export function readLinkSelection(editor: IJodit): LinkSelection {
  const range = editor.s.range.cloneRange();
  const node = range.startContainer;
  const element = node instanceof Element ? node : node.parentElement;
  return { range, link: element?.closest("a") ?? null };
}

interface LinkDialogProps {
  readonly editor: IJodit;
  readonly selection: LinkSelection;
  readonly onClose: () => void;
}

export function LinkDialog({ editor, selection, onClose }: LinkDialogProps) {
  const { range, link } = selection;
  const applyChange = (change: () => void) => {
    change();
    editor.synchronizeValues();
    onClose();
  };
  const initial = {
    address: link?.getAttribute("href") ?? "",
    linkText: link?.textContent ?? range.toString(),
  };
  const form = useForm(useFormValues(initial), {
    save: async ({ address, linkText }) => {
      const target = completeAddress(address);
      if (!target)
        throw createRefusal({
          address:
            "Enter a URL such as https://example.com, or a page of this site such as /coaching.",
        });
      applyChange(() => insertLink(editor, selection, target, linkText.trim() || target));
    },
  });
  return createFormPortal(
    <Dialog isOpen onClose={onClose} title="Link" size="small">
      <Form form={form}>
        <TextField
          name="address"
          label="URL"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          placeholder="https://"
        />
        <TextField name="linkText" label="Link text" dir="auto" />
        <div className="actions">
          {link && (
            <Button
              variant="quiet"
              onClick={() => applyChange(() => unwrapLink(findCurrentLink(editor, link)))}
            >
              Remove link
            </Button>
          )}
          <SubmitButton>Save link</SubmitButton>
        </div>
      </Form>
    </Dialog>,
  );
}

/** Returns the URL to store: "example.com" gets https:, "ann@example.com" mailto:. Undefined if it isn't allowed. */
function completeAddress(input: string): string | undefined {
  const address = removeInvisible(input).trim();
  const isEmail = /^[^\s@:/?#]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/.test(address);
  return toSafeUrl(isEmail ? `mailto:${address}` : completeUrl(address));
}

/** Returns the link in the editor. If a save has replaced the text, returns the equal link in the new text. */
function findCurrentLink(editor: IJodit, link: HTMLAnchorElement): HTMLAnchorElement | undefined {
  if (editor.editor.contains(link)) return link;
  const isEqualLink = (other: HTMLAnchorElement) =>
    other.textContent === link.textContent &&
    other.getAttribute("href") === link.getAttribute("href");
  return [...editor.editor.querySelectorAll("a")].find(isEqualLink);
}

function unwrapLink(link: HTMLAnchorElement | undefined): void {
  link?.replaceWith(...link.childNodes);
}

function insertLink(
  editor: IJodit,
  { range, link }: LinkSelection,
  address: string,
  text: string,
): void {
  const currentLink = link && findCurrentLink(editor, link);
  if (currentLink) {
    currentLink.setAttribute("href", address);
    if (currentLink.textContent !== text) currentLink.textContent = text;
    return;
  }
  if (editor.editor.contains(range.startContainer)) editor.s.selectRange(range, true);
  else editor.s.focus();
  if (range.toString() === text && text !== "" && !editor.s.isCollapsed()) {
    for (const each of editor.s.wrapInTag("a")) each.setAttribute("href", address);
    return;
  }
  const addedLink = editor.createInside.element("a", { href: address }, text);
  editor.s.insertNode(addedLink, true);
}
