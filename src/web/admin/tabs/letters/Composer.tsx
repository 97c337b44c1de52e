/** A letter being written: its text, which autosaves, and a preview. */
import ArrowLeft from "lucide-react/icons/arrow-left";
import ImagePlus from "lucide-react/icons/image-plus";
import Trash2 from "lucide-react/icons/trash";
import User from "lucide-react/icons/user";
import { type ReactNode, useState } from "react";
import { richText } from "../../../../schema/kinds/fields.ts";
import type { LetterDetail, LettersState } from "../../../../schema/api/letterResponses.ts";
import { COACHING_PATH } from "../../../../schema/sections/pagePaths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { deleteLetter } from "./letters.ts";
import { useAction } from "../../../ui/useAction.ts";
import type { InputProps } from "../../editor/inputProps.ts";
import type { TextTools } from "../../editor/RichTextField.tsx";
import { ChooseFiles } from "../../parts/ChooseFiles.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { Field, type FieldState, TextField } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { lazyPart } from "../../parts/LazyPart.tsx";
import { timeOf } from "../../../shared/when.ts";
import { LetterPreview } from "./LetterPreview.tsx";
import { useOpenLetter } from "./openLetter.ts";
import { SendLetter } from "./SendLetter.tsx";
import { useLetterDraft } from "./useLetterDraft.ts";

interface ComposerProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
}

export function Composer({ letter, state }: ComposerProps) {
  const draft = useLetterDraft(letter);
  const [isSending, setSending] = useState(false);
  const { text, set } = draft;
  return (
    <>
      <LetterHead title="Newsletter" note={<SaveStatus draft={draft} />}>
        <DeleteLetter letter={letter} onDeleted={draft.forget} />
        <Button
          variant="primary"
          onClick={() => void draft.save().then((isSaved) => isSaved && setSending(true))}
        >
          Send...
        </Button>
      </LetterHead>
      <div className="letter-columns stack gap-16 align-start">
        <LetterFields text={text} set={set} />
        <LetterPreview text={text} />
      </div>
      <SendLetter
        letter={letter}
        state={state}
        open={isSending}
        onClose={() => setSending(false)}
      />
    </>
  );
}

type LetterFieldsProps = Pick<ReturnType<typeof useLetterDraft>, "text" | "set">;

function LetterFields({ text, set }: LetterFieldsProps) {
  const line = (name: "subject" | "preview" | "buttonText", most: number) => ({
    state: { value: text[name], change: (value: string) => set({ [name]: value }) },
    most,
    isCounted: true,
    dir: "auto",
  });
  return (
    <section className="card" aria-label="Content">
      <div className="card-body fields">
        <TextField label="Subject" {...line("subject", 150)} />
        <TextField
          label="Preview text"
          hint="Optional. Shown next to the subject in the inbox."
          {...line("preview", 150)}
        />
        <BodyField value={text.body} change={(body) => set({ body })} />
        <div className="gap-16 split">
          <TextField label="Button Text" {...line("buttonText", 60)} />
          <TextField
            state={{
              value: text.buttonLink ?? "",
              change: (link) => set({ buttonLink: link || null }),
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

/** A back button, the title, and actions. */
export function LetterHead({ title, note, children }: LetterHeadProps) {
  const { close } = useOpenLetter();
  return (
    <header className="letter-head gap-12 row cluster mb-16">
      <IconButton icon={ArrowLeft} label="All newsletters" onClick={close} />
      <h3 dir="auto">{title}</h3>
      {note}
      <div className="ms-auto row">{children}</div>
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
          <Button size="small" onClick={() => void draft.keepMine()}>
            Keep my version
          </Button>
          <Button size="small" onClick={() => void draft.acceptOther()}>
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
        savedAt && `Saved ${timeOf(savedAt)}`
      ) : (
        "Saving..."
      )}
    </span>
  );
}

const RichText = lazyPart<InputProps & { tools: (text: TextTools) => ReactNode }>({
  subject: "the text editor",
  code: async () => (await import("../../editor/RichTextField.tsx")).RichTextField,
  waiting: <Skeleton height="18rem" />,
});

/** The editor needs a field's declaration. */
const DECLARATION = richText("Text");

function BodyField(state: FieldState<string>) {
  return (
    <Field
      state={state}
      label="Text"
      labelElement="span"
      hint="Your postal address and an unsubscribe link are added automatically."
    >
      {(control, change) => (
        <RichText
          control={control}
          label="Text"
          declaration={DECLARATION}
          onChange={change}
          tools={tools}
        />
      )}
    </Field>
  );
}

const tools = ({ insertText, addPictures }: TextTools) => (
  <div className="letter-toolbar cluster">
    <ChooseFiles size="small" onFiles={addPictures}>
      <ImagePlus size={16} aria-hidden="true" /> Image
    </ChooseFiles>
    <Button size="small" onClick={() => insertText("{first name}")}>
      <User size={16} aria-hidden="true" /> First name
    </Button>
  </div>
);

/** `onDeleted`: unsaved text isn't saved then. */
export function DeleteLetter({
  letter,
  onDeleted,
}: {
  letter: LetterDetail;
  onDeleted?: () => void;
}) {
  const { close } = useOpenLetter();
  const [isConfirming, setConfirming] = useState(false);
  const [, remove] = useAction(
    async () => {
      setConfirming(false);
      await deleteLetter(letter.id);
      onDeleted?.();
      close();
    },
    { failure: "Couldn't delete this newsletter" },
  );
  return (
    <>
      <IconButton
        icon={Trash2}
        label="Delete this newsletter"
        onClick={() => setConfirming(true)}
      />
      <ConfirmDialog
        open={isConfirming}
        title="Delete this newsletter?"
        cancel="Cancel"
        confirm="Delete"
        onCancel={() => setConfirming(false)}
        onConfirm={remove}
      >
        <p>You can restore it from the trash for 30 days.</p>
      </ConfirmDialog>
    </>
  );
}
