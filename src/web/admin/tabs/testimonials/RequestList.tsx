/** Requests that haven't been answered: their links can be shown again or revoked. */
import { useState } from "react";
import { isRequestOpen } from "../../../../schema/sections/testimonialRules.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Fold } from "../../editor/Fold.tsx";
import {
  type TestimonialRequest,
  RequestDialog,
  formatDayAndMonth,
  createLink,
  type CreatedLink,
} from "./AskForTestimonial.tsx";

export function RequestList() {
  const { value: all = [] } = useEntity("testimonialRequests");
  const [made, setMade] = useState<CreatedLink>();
  const open = findOpenRequests(all);
  return (
    <>
      <RequestDialog
        open={made !== undefined}
        createdLink={made}
        onClose={() => setMade(undefined)}
      />
      {open.length > 0 && (
        <div className="card asked mb-16">
          <Fold
            title="Open requests"
            note={open.length === 1 ? "1 not answered yet" : `${open.length} not answered yet`}
          >
            <ul className="rows divided">
              {open.map((each) => (
                <RequestRow key={each.id} request={each} onLink={setMade} />
              ))}
            </ul>
          </Fold>
        </div>
      )}
    </>
  );
}

function findOpenRequests(
  all: readonly TestimonialRequest[],
  now = new Date().toISOString(),
): TestimonialRequest[] {
  const open = all.filter((each) => isRequestOpen(each, now));
  return open.toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? 1 : -1));
}

interface RequestRowProps {
  readonly request: TestimonialRequest;
  readonly onLink: (made: CreatedLink) => void;
}

function RequestRow({ request, onLink }: RequestRowProps) {
  const { who, email, createdAt, expiresAt } = request;
  const name = who || email;
  const [pending, showLink] = useAction(async () => onLink(await createLink(request)), {
    failure: "Couldn't load the link",
  });
  const named = name || `no name, ${formatDayAndMonth(createdAt)}`;
  return (
    <li className="list-row asked-row pad border-top row">
      <span className="row-text title-note grow">
        <strong dir="auto">{name || "No name"}</strong>
        <span className="quiet">
          {`Requested ${formatDayAndMonth(createdAt)}, expires ${formatDayAndMonth(expiresAt)}`}
        </span>
      </span>
      <Button
        variant="quiet"
        pending={pending}
        aria-label={`Show link: ${named}`}
        onClick={() => showLink()}
      >
        Show link
      </Button>
      <Button
        variant="quiet"
        aria-label={`Cancel request: ${named}`}
        onClick={() => void deleteWithUndo("testimonialRequests", request)}
      >
        Cancel request
      </Button>
    </li>
  );
}
