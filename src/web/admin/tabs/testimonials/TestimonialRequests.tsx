/** Asks people for a testimonial by a link, and lists unanswered requests. */
import Copy from "lucide-react/icons/copy";
import QrCode from "lucide-react/icons/qr-code";
import Send from "lucide-react/icons/send";
import { useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { MAX_NAME_LENGTH, isRequestOpen } from "../../../../schema/sections/testimonialRules.ts";
import type { TestimonialRequestLink } from "../../../../schema/api/mailResponses.ts";
import { formatDayAndLongMonth } from "../../../shared/formatTimes.ts";
import { Button } from "../../../ui/Button.tsx";
import { useCopyToClipboard } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../../ui/Form.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { createItem, updateItem } from "../../data/entityWrites.ts";
import { QrCodeImage } from "../../parts/QrCodeImage.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Fold } from "../../editor/Fold.tsx";

type TestimonialRequest = Item<"testimonialRequests">;

export function RequestTestimonialButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Send size={16} aria-hidden="true" /> Ask for a testimonial
      </Button>
      <RequestDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

interface RequestDialogProps {
  readonly isOpen: boolean;
  /** The link from an earlier request to the same person. */
  readonly existingLink?: RequestLink | undefined;
  readonly onClose: () => void;
}

function RequestDialog({ isOpen, existingLink, onClose }: RequestDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Ask for a testimonial" size="small">
      <RequestForm existingLink={existingLink} onClose={onClose} />
    </Dialog>
  );
}

interface RequestLink {
  readonly request: TestimonialRequest;
  readonly response: TestimonialRequestLink;
}

async function loadLink(request: TestimonialRequest): Promise<RequestLink> {
  const from = encodeURIComponent(location.origin);
  const path = `/api/testimonial-requests/${request.id}/link?from=${from}`;
  return { request, response: await api.get<TestimonialRequestLink>(path) };
}

function RequestForm({ existingLink, onClose }: Omit<RequestDialogProps, "isOpen">) {
  const formValues = useFormValues({
    who: existingLink?.request.who ?? "",
    email: existingLink?.request.email ?? "",
  });
  const [createdLink, setCreatedLink] = useState(existingLink);
  const form = useForm(formValues, {
    save: async (values) => {
      // An existing request is updated, so that its link stays the same.
      const request = createdLink
        ? await updateItem("testimonialRequests", createdLink.request.id, values)
        : await createItem("testimonialRequests", values);
      const nextLink = await loadLink(request);
      setCreatedLink(nextLink);
      return nextLink;
    },
    failure: "Couldn't create the link",
    failureField: "email",
  });
  const isSaved = createdLink && isSamePerson(formValues.values, createdLink.request);
  return (
    <Form form={form} className="fields request-form">
      <TextField
        name="who"
        label="Their name (not shown on your site)"
        autoComplete="off"
        maxCharacters={MAX_NAME_LENGTH}
      />
      <TextField
        name="email"
        label="Their email address (optional)"
        type="email"
        autoComplete="off"
      />
      {createdLink && <RequestLinkView {...createdLink} />}
      <p className="quiet small">
        They answer your questions and agree to be quoted. They can withdraw at any time. Nothing is
        published until you approve it.
      </p>
      <div className="actions">
        <Button variant="quiet" onClick={onClose}>
          {createdLink ? "Close" : "Cancel"}
        </Button>
        {isSaved ? (
          <SendRequestButton createdLink={createdLink} onSent={onClose} />
        ) : (
          <SubmitButton>{createdLink ? "Save" : "Create link"}</SubmitButton>
        )}
      </div>
    </Form>
  );
}

const isSamePerson = (
  { who, email }: { who: string; email: string },
  request: TestimonialRequest,
): boolean => who.trim() === (request.who ?? "") && email.trim() === (request.email ?? "");

function RequestLinkView({ request, response: { link, message, qr } }: RequestLink) {
  const [isMessageCopied, copyMessage] = useCopyToClipboard(message);
  const [isLinkCopied, copyLink] = useCopyToClipboard(link);
  const [isQrCodeShown, setQrCodeShown] = useState(false);
  return (
    <output className="well pad stack">
      <p>
        <strong>{request.who ? `Link for ${request.who}` : "Your link"}</strong>{" "}
        <span className="quiet">works once, expires {formatDayAndMonth(request.expiresAt)}</span>
      </p>
      <code className="truncate">{link.replace(/^https?:\/\//, "")}</code>
      <div className="cluster">
        <Button onClick={copyMessage}>
          <Copy size={16} aria-hidden="true" /> {isMessageCopied ? "Copied" : "Copy message"}
        </Button>
        <Button
          variant="quiet"
          aria-label={isLinkCopied ? "Link copied" : "Copy link"}
          onClick={copyLink}
        >
          {isLinkCopied ? "Copied" : "Copy"}
        </Button>
        <Button
          variant="quiet"
          aria-expanded={isQrCodeShown}
          onClick={() => setQrCodeShown(!isQrCodeShown)}
        >
          <QrCode size={16} aria-hidden="true" /> QR code
        </Button>
      </div>
      {isQrCodeShown && <QrCodeImage code={qr} label="QR code of the link" />}
    </output>
  );
}

const formatDayAndMonth = (timestamp: string | null) =>
  timestamp === null ? "" : formatDayAndLongMonth(timestamp);

function SendRequestButton({
  createdLink,
  onSent,
}: {
  readonly createdLink: RequestLink;
  readonly onSent: () => void;
}) {
  const { request, response } = createdLink;
  const [isPending, send] = useAction(
    async () => {
      await api.post(`/api/testimonial-requests/${request.id}/mail`);
      onSent();
    },
    { success: `Sending to ${request.email}`, failure: "Couldn't send the email" },
  );
  if (!response.canMail || request.email === null) return null;
  return (
    <Button variant="primary" isPending={isPending} onClick={() => send()}>
      Send email
    </Button>
  );
}

export function RequestList() {
  const { value: requests = [] } = useEntity("testimonialRequests");
  const [createdLink, setCreatedLink] = useState<RequestLink>();
  const openRequests = findOpenRequests(requests);
  return (
    <>
      <RequestDialog
        isOpen={createdLink !== undefined}
        existingLink={createdLink}
        onClose={() => setCreatedLink(undefined)}
      />
      {openRequests.length > 0 && (
        <div className="card requests mb-16">
          <Fold title="Open requests" note={`${openRequests.length} not answered yet`}>
            <ul className="rows divided">
              {openRequests.map((each) => (
                <RequestRow key={each.id} request={each} onShowLink={setCreatedLink} />
              ))}
            </ul>
          </Fold>
        </div>
      )}
    </>
  );
}

function findOpenRequests(requests: readonly TestimonialRequest[]): TestimonialRequest[] {
  const now = new Date().toISOString();
  const openRequests = requests.filter((each) => isRequestOpen(each, now));
  return openRequests.toSorted((one, other) =>
    (one.createdAt ?? "") < (other.createdAt ?? "") ? 1 : -1,
  );
}

interface RequestRowProps {
  readonly request: TestimonialRequest;
  readonly onShowLink: (link: RequestLink) => void;
}

function RequestRow({ request, onShowLink }: RequestRowProps) {
  const { who, email, createdAt, expiresAt } = request;
  const name = who || email;
  const [isPending, showLink] = useAction(async () => onShowLink(await loadLink(request)), {
    failure: "Couldn't load the link",
  });
  const accessibleName = name || `no name, ${formatDayAndMonth(createdAt)}`;
  return (
    <li className="list-row request-row pad border-top row">
      <span className="row-text title-note grow">
        <strong dir="auto">{name || "No name"}</strong>
        <span className="quiet">
          {`Requested ${formatDayAndMonth(createdAt)}, expires ${formatDayAndMonth(expiresAt)}`}
        </span>
      </span>
      <Button
        variant="quiet"
        isPending={isPending}
        aria-label={`Show link: ${accessibleName}`}
        onClick={() => showLink()}
      >
        Show link
      </Button>
      <Button
        variant="quiet"
        aria-label={`Cancel request: ${accessibleName}`}
        onClick={() => void deleteWithUndo("testimonialRequests", request)}
      >
        Cancel request
      </Button>
    </li>
  );
}
