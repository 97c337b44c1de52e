/** Asks somebody for a testimonial: a name, then a link to share: in a message, as a QR code, or by mail. */
import Copy from "lucide-react/icons/copy";
import QrCode from "lucide-react/icons/qr-code";
import Send from "lucide-react/icons/send";
import { useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { LONGEST_NAME } from "../../../../schema/sections/testimonialRules.ts";
import type { SayLink } from "../../../../schema/api/mailResponses.ts";
import { dayAndMonthOf } from "../../../shared/when.ts";
import { Button } from "../../../ui/Button.tsx";
import { useCopied } from "../../../ui/Copied.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, Submit, useForm, useValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { createItem, updateItem } from "../../data/writes.ts";
import { Qr } from "../../parts/Qr.tsx";

export type Asked = Item<"testimonialRequests">;

export function AskSomebody() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send size={16} aria-hidden="true" /> Ask for a testimonial
      </Button>
      <AskDialog open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface AskDialogProps {
  readonly open: boolean;
  /** For somebody asked before. */
  readonly made?: Made | undefined;
  readonly onClose: () => void;
}

export function AskDialog({ open, made, onClose }: AskDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Ask for a testimonial" size="small">
      {open && <Asking made={made} onClose={onClose} />}
    </Dialog>
  );
}

/** A link and its recipient. */
export interface Made {
  readonly asked: Asked;
  readonly link: SayLink;
}

export async function linkFor(asked: Asked): Promise<Made> {
  const from = encodeURIComponent(location.origin);
  const path = `/api/testimonial-requests/${asked.id}/link?from=${from}`;
  return { asked, link: await api.get<SayLink>(path) };
}

function Asking({ made: before, onClose }: Omit<AskDialogProps, "open">) {
  const typed = useValues({ who: before?.asked.who ?? "", email: before?.asked.email ?? "" });
  const [made, setMade] = useState(before);
  const form = useForm(typed, {
    save: async (values) => {
      // Changes after the link was made belong to the same request.
      const asked = made
        ? await updateItem("testimonialRequests", made.asked.id, values)
        : await createItem("testimonialRequests", values);
      const next = await linkFor(asked);
      setMade(next);
      return next;
    },
    failure: "Couldn't create the link.",
    failsAt: "email",
  });
  const isKept = made && same(typed.values, made.asked);
  return (
    <Form of={form} className="fields ask">
      <TextField
        name="who"
        label="Their name (only you see this)"
        autoComplete="off"
        most={LONGEST_NAME}
      />
      <TextField
        name="email"
        label="Their email address (optional)"
        type="email"
        autoComplete="off"
      />
      {made && <MadeLink {...made} />}
      <p className="quiet small">
        They answer your questions and agree to be quoted. They can withdraw at any time. Nothing is
        published until you approve it.
      </p>
      <div className="form-actions">
        <Button variant="quiet" onClick={onClose}>
          {made ? "Close" : "Cancel"}
        </Button>
        {isKept ? (
          <SendIt made={made} onSent={onClose} />
        ) : (
          <Submit>{made ? "Save" : "Create link"}</Submit>
        )}
      </div>
    </Form>
  );
}

const same = ({ who, email }: { who: string; email: string }, asked: Asked): boolean =>
  who.trim() === (asked.who ?? "") && email.trim() === (asked.email ?? "");

/** How long it is valid, and ways to share it. */
function MadeLink({ asked, link: { link, message, qr } }: Made) {
  const [isMessage, copyMessage] = useCopied(message);
  const [isLink, copyLink] = useCopied(link);
  const [isDrawn, setDrawn] = useState(false);
  return (
    <output className="well pad stack">
      <p>
        <strong>{asked.who ? `Link for ${asked.who}` : "Your link"}</strong>{" "}
        <span className="quiet">works once, expires {formatDayAndMonth(asked.expiresAt)}</span>
      </p>
      <code className="truncate">{link.replace(/^https?:\/\//, "")}</code>
      <div className="cluster">
        <Button onClick={copyMessage}>
          <Copy size={16} aria-hidden="true" /> {isMessage ? "Copied" : "Copy message"}
        </Button>
        <Button
          variant="quiet"
          aria-label={isLink ? "Link copied" : "Copy link"}
          onClick={copyLink}
        >
          {isLink ? "Copied" : "Copy"}
        </Button>
        <Button variant="quiet" aria-expanded={isDrawn} onClick={() => setDrawn(!isDrawn)}>
          <QrCode size={16} aria-hidden="true" /> QR code
        </Button>
      </div>
      {isDrawn && <Qr of={qr} label="QR code of the link" />}
    </output>
  );
}

export const formatDayAndMonth = (moment: string | null) =>
  moment === null ? "" : dayAndMonthOf(moment);

function SendIt({ made, onSent }: { readonly made: Made; readonly onSent: () => void }) {
  const { asked, link } = made;
  const [pending, send] = useAction(
    async () => {
      await api.post(`/api/testimonial-requests/${asked.id}/mail`);
      onSent();
    },
    { success: `Sending to ${asked.email}`, failure: "Couldn't send the email." },
  );
  if (!link.canMail || asked.email === null) return null;
  return (
    <Button variant="primary" pending={pending} onClick={() => send()}>
      Send email
    </Button>
  );
}
