/** Personal data requests: finds, exports and erases one person's data. */
import FileJson from "lucide-react/icons/file-braces";
import Search from "lucide-react/icons/search";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import { formatCount } from "../../../schema/core/formatNumber.ts";
import { createRefusal } from "../../shared/api.ts";
import { joinList } from "../../shared/joinList.ts";
import { formatIsoDayAfter } from "../../shared/formatTimes.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Form, SubmitButton, useForm, useFormValues } from "../../ui/Form.tsx";
import { useAction } from "../../ui/useAction.ts";
import { api } from "../data/client.ts";
import { downloadFile } from "../data/csv.ts";
import { refetchEntity } from "../data/entityWrites.ts";
import { Card } from "../parts/Card.tsx";
import { ConfirmDialog, useConfirmation } from "../parts/ConfirmDialog.tsx";

export function PersonalDataCard() {
  const [person, setPerson] = useState<PersonSummary | null>(null);
  const [remainingCopies, setRemainingCopies] = useState<readonly string[]>([]);
  const form = useForm(useFormValues({ email: "" }), {
    save: async ({ email }) => {
      setPerson(null);
      setRemainingCopies([]);
      if (email.trim() === "") throw createRefusal({ email: "Enter an email address." });
      setPerson(await findPerson(email.trim()));
    },
    failure: "Couldn't search. Check your connection and try again.",
    failureField: "email",
  });
  return (
    <Card
      title="Personal data requests"
      note="When someone asks for a copy of their data or wants it erased"
    >
      <Form form={form} className="person-search cluster">
        <TextField name="email" label="Their email address" type="email" autoComplete="off" />
        <SubmitButton variant="neutral">
          <Search size={16} aria-hidden="true" /> {form.isPending ? "Searching..." : "Search"}
        </SubmitButton>
      </Form>
      <output>
        {person && (
          <PersonData
            key={person.email}
            person={person}
            onErased={(copies) => {
              setPerson(null);
              setRemainingCopies(copies);
            }}
          />
        )}
        {remainingCopies.length > 0 && (
          <p className="mt-12">
            {`This address is still in old copies on the server: ${remainingCopies.join(", ")}. Ask whoever runs the server to delete them.`}
          </p>
        )}
      </output>
    </Card>
  );
}

/** `onErased` receives the names of old copies on the server that still contain the address. */
interface PersonDataProps {
  readonly person: PersonSummary;
  readonly onErased: (remainingPlaces: readonly string[]) => void;
}

function PersonData({ person, onErased }: PersonDataProps) {
  const [askToErase, dialog] = useConfirmation(
    async () => onErased(await erasePerson(person.email)),
    { success: "Personal data erased", failure: "Couldn't erase the personal data" },
  );
  const [, exportData] = useAction(() => exportPerson(person.email), {
    success: "Personal data exported",
    failure: "Couldn't export the personal data",
  });
  const countsText = describeCounts(person);
  if (countsText === undefined)
    return <p className="quiet mt-12">No data found for this email address.</p>;
  return (
    <div className="mt-12 gap-12 justify-between row cluster">
      <p>
        There {countsText.startsWith("1 ") ? "is" : "are"} {countsText} for{" "}
        <strong>{person.email}</strong>.
      </p>
      <div className="row cluster">
        <Button onClick={exportData}>
          <FileJson size={16} aria-hidden="true" /> Export data
        </Button>
        <Button variant="quiet" data-tone="bad" onClick={askToErase}>
          <Trash2 size={16} aria-hidden="true" /> Erase data
        </Button>
      </div>
      <ConfirmDialog
        {...dialog}
        title="Erase this person's data?"
        confirmLabel={person.shown > 0 ? "Erase and unpublish" : "Erase data"}
      >
        <p>
          This permanently deletes {countsText} from <strong>{person.email}</strong>, including
          earlier versions. This can't be undone.
        </p>
        {person.calls > 0 && (
          <p>
            {person.calls === 1
              ? "This person has a booked call. Cancel the call first: otherwise the person won't be notified."
              : `This person has ${person.calls} booked calls. Cancel the calls first: otherwise the person won't be notified.`}
          </p>
        )}
        {person.shown > 0 && (
          <p>
            <strong>{describePublished(person)}</strong> {person.shown === 1 ? "It" : "They"} will
            be removed from your site immediately.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}

/** Downloads a person's data as JSON (POST /api/people/export). Throws CallError. */
async function exportPerson(email: string): Promise<void> {
  const person = await postPersonRequest<object>("export", email);
  const file = new Blob([JSON.stringify(person, null, 2)], { type: "application/json" });
  downloadFile(file, `personal-data-${formatIsoDayAfter(0)}.json`);
}

/** Returns a text such as "1 subscription, 2 submissions and 1 testimonial"; undefined if nothing was found. */
function describeCounts(person: PersonSummary): string | undefined {
  const counts = COUNTED_KINDS.filter(([name]) => person[name] > 0).map(([name, singular]) =>
    formatCount(person[name], singular),
  );
  return counts.length > 0 ? joinList(counts) : undefined;
}

const COUNTED_KINDS = [
  ["subscriptions", "subscription"],
  ["submissions", "submission"],
  ["testimonials", "testimonial"],
  ["testimonialRequests", "testimonial request"],
] as const;

function describePublished({ testimonials, shown }: PersonSummary): string {
  if (testimonials === 1) return "The testimonial is published.";
  return shown === 1
    ? "One of the testimonials is published."
    : `${shown} of the testimonials are published.`;
}

/** The counts of stored items with the person's email address. */
interface PersonSummary {
  readonly email: string;
  readonly subscriptions: number;
  readonly submissions: number;
  readonly testimonials: number;
  readonly testimonialRequests: number;
  /** The number of testimonials that visitors see. */
  readonly shown: number;
  /** The number of upcoming calls. */
  readonly calls: number;
}

/** Counts a person's stored items (POST /api/people/find). Throws CallError. */
const findPerson = (email: string) => postPersonRequest<PersonSummary>("find", email);

/** Erases a person's data and refetches the lists. Returns the old copies that still contain it. Throws CallError. */
async function erasePerson(email: string): Promise<readonly string[]> {
  const { keptIn = [] } = await postPersonRequest<{ readonly keptIn?: readonly string[] }>(
    "erase",
    email,
  );
  const lists = [
    "emailSubscriptions",
    "formSubmissions",
    "testimonials",
    "testimonialRequests",
  ] as const;
  await Promise.all(lists.map((list) => refetchEntity(list)));
  return keptIn;
}

const postPersonRequest = <T,>(action: "find" | "export" | "erase", email: string) =>
  api.post<T>(`/api/people/${action}`, { email });
