/** A person's data: found by e-mail address, exported, erased (security.md, "Personal data"). */
import Search from "lucide-react/icons/search";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Card } from "../../parts/Card.tsx";
import { FieldFrame } from "../../parts/FieldFrame.tsx";
import { failureWords } from "../../queries/toasts.ts";
import { findPerson, type Person } from "./people.ts";
import { PersonFound } from "./PersonFound.tsx";

/** Renders the search and what it found. */
export function PersonCard() {
  const id = useId();
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const [person, setPerson] = useState<Person | null>(null);
  const find = async (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setPerson(null);
    if (email.trim() === "") return setError("Type an email address.");
    setPending(true);
    try {
      setPerson(await findPerson(email.trim()));
    } catch (failure) {
      setError(failureWords(failure, "The search failed. Check your connection, then try again."));
    }
    setPending(false);
  };
  return (
    <Card title="A person’s data" note="When someone asks what you hold, or to be forgotten">
      <form className="person-search" onSubmit={(event) => void find(event)} noValidate>
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
