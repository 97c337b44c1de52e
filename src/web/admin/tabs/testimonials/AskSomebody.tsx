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

export type TestimonialRequest = Item<"testimonialRequests">;

export function RequestTestimonial() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send size={16} aria-hidden="true" /> Ask for a testimonial
      </Button>
      <RequestDialog open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface RequestDialogProps {
  readonly open: boolean;
  /** For somebody asked before. */
  readonly made?: Made | undefined;
  readonly onClose: () => void;
}

export function RequestDialog({ open, made, onClose }: RequestDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Ask for a testimonial" size="small">
      {open && <Asking made={made} onClose={onClose} />}
    </Dialog>
  );
}

/** A link and its recipient. */
export interface Made {
  readonly request: TestimonialRequest;
  readonly link: SayLink;
}

export async function linkFor(request: TestimonialRequest): Promise<Made> {
  const from = encodeURIComponent(location.origin);
  const path = `/api/testimonial-requests/${request.id}/link?from=${from}`;
  return { request, link: await api.get<SayLink>(path) };
}

function Asking({ made: before, onClose }: Omit<RequestDialogProps, "open">) {
  const typed = useValues({ who: before?.request.who ?? "", email: before?.request.email ?? "" });
  const [made, setMade] = useState(before);
  const form = useForm(typed, {
    save: async (values) => {
      // Changes after the link was made belong to the same request.
      const request = made
        ? await updateItem("testimonialRequests", made.request.id, values)
        : await createItem("testimonialRequests", values);
      const next = await linkFor(request);
      setMade(next);
      return next;
    },
    failure: "Couldn't create the link",
    failsAt: "email",
  });
  const isSaved = made && same(typed.values, made.request);
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
      <div className="actions">
        <Button variant="quiet" onClick={onClose}>
          {made ? "Close" : "Cancel"}
        </Button>
        {isSaved ? (
          <SendIt made={made} onSent={onClose} />
        ) : (
          <Submit>{made ? "Save" : "Create link"}</Submit>
        )}
      </div>
    </Form>
  );
}

const same = (
  { who, email }: { who: string; email: string },
  request: TestimonialRequest,
): boolean => who.trim() === (request.who ?? "") && email.trim() === (request.email ?? "");

/** Its expiry, and buttons to share it. */
function MadeLink({ request, link: { link, message, qr } }: Made) {
  const [isMessage, copyMessage] = useCopied(message);
  const [isLink, copyLink] = useCopied(link);
  const [isDrawn, setDrawn] = useState(false);
  return (
    <output className="well pad stack">
      <p>
        <strong>{request.who ? `Link for ${request.who}` : "Your link"}</strong>{" "}
        <span className="quiet">works once, expires {formatDayAndMonth(request.expiresAt)}</span>
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

export const formatDayAndMonth = (timestamp: string | null) =>
  timestamp === null ? "" : dayAndMonthOf(timestamp);

function SendIt({ made, onSent }: { readonly made: Made; readonly onSent: () => void }) {
  const { request, link } = made;
  const [pending, send] = useAction(
    async () => {
      await api.post(`/api/testimonial-requests/${request.id}/mail`);
      onSent();
    },
    { success: `Sending to ${request.email}`, failure: "Couldn't send the email" },
  );
  if (!link.canMail || request.email === null) return null;
  return (
    <Button variant="primary" pending={pending} onClick={() => send()}>
      Send email
    </Button>
  );
}
