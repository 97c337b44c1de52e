/** The dialog in which a visitor joins or leaves the mailing list (specification, sections 4, 5 and 8). */
import type { Signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type FormEvent, type InputHTMLAttributes, useId, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { createMailingList, type MailingList, WORDS } from "./mailingListState.ts";

/** `siteName` is the {name} of the texts. */
export interface MailingListDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly siteName: string;
}

/** Closing the dialog, or succeeding, empties it. */
export function MailingListDialog({ open, onClose, siteName }: MailingListDialogProps) {
  useSignals();
  const [list] = useState(createMailingList);
  const close = () => {
    list.reset();
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await list.send(siteName)) close();
  };
  const words = WORDS[list.mode.value];
  return (
    <Dialog
      open={open}
      onClose={close}
      title={words.title}
      size="small"
      className="mailing-list-dialog"
    >
      <p className="mailing-list-lead">{words.lead(siteName)}</p>
      <form onSubmit={submit}>
        <Fields list={list} />
        <Button
          type="submit"
          variant="primary"
          className="mailing-list-send"
          pending={list.pending.value}
          disabled={list.email.value.trim() === ""}
        >
          {list.pending.value ? words.sending : words.send}
        </Button>
      </form>
      <Button
        variant="quiet"
        size="small"
        className="mailing-list-switch"
        disabled={list.pending.value}
        onClick={list.switchMode}
      >
        {words.other}
      </Button>
    </Dialog>
  );
}

function Fields({ list }: { list: MailingList }) {
  useSignals();
  return (
    <>
      <TextRow
        label="Email Address *"
        value={list.email}
        type="email"
        name="email"
        autoComplete="email"
        required
        data-autofocus
      />
      {list.mode.value === "subscribe" && (
        <TextRow
          label="First Name (optional)"
          value={list.name}
          type="text"
          name="name"
          autoComplete="given-name"
          maxLength={120}
        />
      )}
      <div className="off-screen" aria-hidden="true">
        <TextRow
          label="Website"
          value={list.website}
          type="text"
          name="website"
          autoComplete="off"
          tabIndex={-1}
          data-1p-ignore
          data-lpignore="true"
        />
      </div>
    </>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "id">;

/** As a native input, with its label and the signal that holds what is typed. */
export interface TextRowProps extends InputProps {
  readonly label: string;
  readonly value: Signal<string>;
}

export function TextRow({ label, value, ...input }: TextRowProps) {
  useSignals();
  const id = useId();
  return (
    <div className="text-row">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={value.value}
        onChange={(event) => (value.value = event.target.value)}
      />
    </div>
  );
}
