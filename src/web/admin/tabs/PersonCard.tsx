/** One person's data: found by email address, exported, erased. */
import { format } from "date-fns";
import FileJson from "lucide-react/icons/file-braces";
import Search from "lucide-react/icons/search";
import Trash2 from "lucide-react/icons/trash";
import { type FormEvent, useId, useState } from "react";
import type { Item } from "../../../schema/index.ts";
import type { Submission } from "../../../schema/visitors.ts";
import { call } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { withSession } from "../data/client.ts";
import { download } from "../data/csv.ts";
import { failureWords } from "../data/messages.ts";
import { usePending } from "../data/usePending.ts";
import { refresh, withToast } from "../data/writes.ts";
import { Card } from "../parts/Card.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";

export function PersonCard() {
  const id = useId();
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [pending, run] = usePending();
  const [person, setPerson] = useState<Person | null>(null);
  const find = async () => {
    setError(undefined);
    setPerson(null);
    if (email.trim() === "") return setError("Enter an email address.");
    try {
      setPerson(await findPerson(email.trim()));
    } catch (failure) {
      setError(failureWords(failure, "The search failed. Check your connection, then try again."));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(find);
  };
  return (
    <Card
      title="A person's data"
      note="For when someone asks what you hold about them, or asks to be forgotten"
    >
      <form className="person-search" onSubmit={submit} noValidate>
        <FieldFrame id={id} label="Their email address" error={error}>
          <input
            id={id}
            type="email"
            autoComplete="off"
            maxLength={254}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-note` : undefined}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </FieldFrame>
        <Button type="submit" pending={pending}>
          <Search size={16} aria-hidden="true" /> {pending ? "Searching..." : "Find"}
        </Button>
      </form>
      <output>
        {person && (
          <PersonFound key={person.email} person={person} onErased={() => setPerson(null)} />
        )}
      </output>
    </Card>
  );
}

/** `onErased` when nothing of it is left. */
interface PersonFoundProps {
  readonly person: Person;
  readonly onErased: () => void;
}

/** What the site holds about a person, and what can be done with it. */
function PersonFound({ person, onErased }: PersonFoundProps) {
  const [asking, ask] = useState(false);
  const [pending, run] = usePending();
  const erase = async () => {
    const erased = await withToast(ERASE_WORDS, () => erasePerson(person.email));
    ask(false);
    if (erased) onErased();
  };
  const words = wordsFor(person);
  if (words === undefined)
    return <p className="quiet person-found">Nothing is stored about this address.</p>;
  return (
    <div className="person-found">
      <p>
        There {words.startsWith("1 ") ? "is" : "are"} {words} for <strong>{person.email}</strong>.
      </p>
      <div className="list-actions">
        <Button onClick={() => exportPerson(person)}>
          <FileJson size={16} aria-hidden="true" /> Export data
        </Button>
        <Button variant="quiet" className="bad" onClick={() => ask(true)}>
          <Trash2 size={16} aria-hidden="true" /> Erase data
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title="Erase this person's data?"
        keep="Keep data"
        confirm="Erase data"
        pending={pending}
        onKeep={() => ask(false)}
        onConfirm={() => void run(erase)}
      >
        <p>
          This deletes {words} from <strong>{person.email}</strong>, earlier copies on this site
          included. It can't be undone.
        </p>
      </ConfirmDialog>
    </div>
  );
}

const ERASE_WORDS = {
  success: "Personal data erased",
  failure: "Failed to erase the personal data",
};

function exportPerson(person: Person): void {
  const json = JSON.stringify(person, null, 2);
  download(new Blob([json], { type: "application/json" }), personFileName(new Date()));
}

/** "1 subscription and 2 submissions"; undefined for nothing. */
function wordsFor({ subscription, submissions }: Person): string | undefined {
  const count = submissions.length;
  const parts = [
    ...(subscription ? ["1 subscription"] : []),
    ...(count > 0 ? [`${count} ${count === 1 ? "submission" : "submissions"}`] : []),
  ];
  return parts.length > 0 ? parts.join(" and ") : undefined;
}

/** Everything stored about a person. */
interface Person {
  readonly email: string;
  readonly subscription: Item<"emailSubscriptions"> | null;
  readonly submissions: readonly Submission[];
}

/** GET /api/people?email=. Throws CallFailed. */
function findPerson(email: string): Promise<Person> {
  return withSession(() => call<Person>(pathFor(email)));
}

/** DELETE /api/people?email=; both lists are read again. Throws CallFailed. */
async function erasePerson(email: string): Promise<true> {
  await withSession(() => call(pathFor(email), { method: "DELETE" }));
  await Promise.all([refresh("emailSubscriptions"), refresh("formSubmissions")]);
  return true;
}

const pathFor = (email: string) => `/api/people?email=${encodeURIComponent(email)}`;

/** `personal-data-2026-11-20.json`: the address stays out of file names. */
const personFileName = (today: Date) => `personal-data-${format(today, "yyyy-MM-dd")}.json`;
