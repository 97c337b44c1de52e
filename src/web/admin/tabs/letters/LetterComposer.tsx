/** A newsletter being written: its text, saved automatically, beside a preview. */
import ArrowLeft from "lucide-react/icons/arrow-left";
import ImagePlus from "lucide-react/icons/image-plus";
import Trash2 from "lucide-react/icons/trash";
import User from "lucide-react/icons/user";
import { type ReactNode, useState } from "react";
import { richText } from "../../../../schema/kinds/fields.ts";
import type { LetterDetail, LettersState } from "../../../../schema/api/letterResponses.ts";
import { COACHING_PATH } from "../../../../schema/sections/pageOrder.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/AsyncContent.tsx";
import { deleteLetter, useOpenLetter } from "./letterCalls.ts";
import type { RichTextFieldProps, TextTools } from "../../editor/RichTextField.tsx";
import { ChooseFilesButton } from "../../parts/ChooseFiles.tsx";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";
import { Field, type FieldState, TextField } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { createLazyComponent } from "../../parts/lazyComponent.tsx";
import { formatTime } from "../../../shared/formatTimes.ts";
import { LetterPreview } from "./LetterPreview.tsx";
import { SendLetterDialog } from "./SendLetter.tsx";
import { useLetterDraft } from "./useLetterDraft.ts";

interface LetterComposerProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
}

export function LetterComposer({ letter, state }: LetterComposerProps) {
  const draft = useLetterDraft(letter);
  const [isSendDialogOpen, setSendDialogOpen] = useState(false);
  const { text, set } = draft;
  return (
    <>
      <LetterHead title="Newsletter" note={<SaveStatus draft={draft} />}>
        <DeleteLetterButton letter={letter} onDeleted={draft.discard} />
        <Button
          variant="primary"
          onClick={() => void draft.save().then((isSaved) => isSaved && setSendDialogOpen(true))}
        >
          Send...
        </Button>
      </LetterHead>
      <div className="letter-columns stack gap-16 align-start">
        <LetterFields text={text} set={set} />
        <LetterPreview text={text} />
      </div>
      <SendLetterDialog
        letter={letter}
        state={state}
        isOpen={isSendDialogOpen}
        onClose={() => setSendDialogOpen(false)}
      />
    </>
  );
}

type LetterFieldsProps = Pick<ReturnType<typeof useLetterDraft>, "text" | "set">;

function LetterFields({ text, set }: LetterFieldsProps) {
  const createTextFieldProps = (
    name: "subject" | "preview" | "buttonText",
    maxCharacters: number,
  ) => ({
    state: { value: text[name], setValue: (value: string) => set({ [name]: value }) },
    maxCharacters,
    isCounted: true,
    dir: "auto",
  });
  return (
    <section className="card" aria-label="Content">
      <div className="card-body fields">
        <TextField label="Subject" {...createTextFieldProps("subject", 150)} />
        <TextField
          label="Preview text"
          hint="Optional. Shown next to the subject in the inbox."
          {...createTextFieldProps("preview", 150)}
        />
        <BodyField value={text.body} setValue={(body) => set({ body })} />
        <div className="gap-16 split">
          <TextField label="Button Text" {...createTextFieldProps("buttonText", 60)} />
          <TextField
            state={{
              value: text.buttonLink ?? "",
              setValue: (link) => set({ buttonLink: link || null }),
            }}
            label="Button Link"
            placeholder={COACHING_PATH}
            dir="auto"
          />
        </div>
      </div>
    </section>
  );
}

interface LetterHeadProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

export function LetterHead({ title, note, children }: LetterHeadProps) {
  const { close } = useOpenLetter();
  return (
    <header className="letter-head gap-12 row cluster mb-16">
      <IconButton icon={ArrowLeft} label="All newsletters" onClick={close} />
      <h3 dir="auto">{title}</h3>
      {note}
      <div className="row">{children}</div>
    </header>
  );
}

function SaveStatus({ draft }: { draft: ReturnType<typeof useLetterDraft> }) {
  const { status, savedAt, save } = draft;
  return (
    <span className="row faint small" aria-live="polite">
      {status === "conflict" ? (
        <>
          <span className="letter-failed" data-tone="bad">
            This newsletter was changed in another window.
          </span>
          <Button size="small" onClick={() => void draft.overwriteOtherVersion()}>
            Keep my version
          </Button>
          <Button size="small" onClick={() => void draft.acceptOtherVersion()}>
            Keep saved version
          </Button>
        </>
      ) : status === "failed" ? (
        <>
          <span className="letter-failed" data-tone="bad">
            {draft.problem}
          </span>
          <Button size="small" onClick={() => void save()}>
            Retry
          </Button>
        </>
      ) : status === "saved" ? (
        savedAt && `Saved ${formatTime(savedAt)}`
      ) : (
        "Saving..."
      )}
    </span>
  );
}

const LazyRichText = createLazyComponent<RichTextFieldProps>({
  subject: "the text editor",
  loadCode: async () => (await import("../../editor/RichTextField.tsx")).RichTextField,
  placeholder: <Skeleton height="18rem" />,
});

/** The declaration of the text field, which the rich-text editor requires. */
const BODY_FIELD = richText("Text");

function BodyField(state: FieldState<string>) {
  return (
    <Field
      state={state}
      label="Text"
      labelElement="span"
      hint="Your postal address and an unsubscribe link are added automatically."
    >
      {(control, change) => (
        <LazyRichText
          control={control}
          label="Text"
          declaration={BODY_FIELD}
          onChange={change}
          renderTools={renderTools}
        />
      )}
    </Field>
  );
}

const renderTools = ({ insertText, addPictures }: TextTools) => (
  <div className="letter-toolbar cluster">
    <ChooseFilesButton size="small" onFiles={addPictures}>
      <ImagePlus size={16} aria-hidden="true" /> Image
    </ChooseFilesButton>
    <Button size="small" onClick={() => insertText("{first name}")}>
      <User size={16} aria-hidden="true" /> First name
    </Button>
  </div>
);

/** `onDeleted` runs after the deletion, to discard unsaved text. */
export function DeleteLetterButton({
  letter,
  onDeleted,
}: {
  letter: LetterDetail;
  onDeleted?: () => void;
}) {
  const { close } = useOpenLetter();
  const [askToDelete, dialog] = useConfirmation(
    async () => {
      await deleteLetter(letter.id);
      onDeleted?.();
      close();
    },
    { failure: "Couldn't delete this newsletter" },
  );
  return (
    <>
      <IconButton icon={Trash2} label="Delete this newsletter" onClick={askToDelete} />
      <ConfirmDialog {...dialog} title="Delete this newsletter?" confirmLabel="Delete">
        <p>You can restore the newsletter from the trash for 30 days.</p>
      </ConfirmDialog>
    </>
  );
}
