/** The first screen of the welcome: the hero's text. */
import Check from "lucide-react/icons/check";
import { type FormEvent, useState } from "react";
import { taglineParts } from "../../../schema/tagline.ts";
import { FieldFrame } from "../../ui/FieldFrame.tsx";
import { heroOf, joined, partsOf, type PosterWords, savePoster } from "./siteWriting.ts";
import { type StepProps, useSaving } from "./step.ts";
import { Foot, WelcomeFrame } from "./WelcomeFrame.tsx";

/** One press adds them to "What you do". */
const ROLES = ["Performer", "Stage coach", "Speaker", "Actor", "Musician", "Trainer"];

export function PosterStep({ hero, onNext, onLater }: StepProps) {
  const [words, setWords] = useState<PosterWords>(() => wordsIn(hero));
  const { pending, failed, save, go } = useSaving(onNext);
  const set = (some: Partial<PosterWords>) => setWords({ ...words, ...some });
  const isOff = words.name.trim() === "";
  const next = (event?: FormEvent) => {
    event?.preventDefault();
    if (!isOff && !pending) save(() => savePoster(words, hero));
  };
  const field = (
    name: keyof PosterWords,
    label: string,
    maxLength: number,
    more: { placeholder?: string; hint?: string } = {},
  ) => (
    <FieldFrame
      id={`welcome-${name}`}
      label={label}
      counter={`${words[name].length} / ${maxLength}`}
      hint={more.hint}
    >
      <input
        id={`welcome-${name}`}
        type="text"
        dir="auto"
        autoComplete="off"
        maxLength={maxLength}
        placeholder={more.placeholder}
        value={words[name]}
        onChange={({ target }) => set({ [name]: target.value })}
      />
    </FieldFrame>
  );
  return (
    <WelcomeFrame
      step={1}
      title="What should the poster say?"
      note="Two lines are enough. You can change every word later."
      hero={{ ...hero, ...heroOf(words) }}
      posterOnPhone
      foot={
        <Foot
          back="Set up later"
          onBack={() => go(onLater)}
          next="Next"
          onNext={next}
          pending={pending}
          failed={failed}
          off={isOff}
        />
      }
    >
      <form className="fields" onSubmit={next} noValidate>
        {field("name", "Your name or stage name", 80)}
        {field("does", "What you do", 120)}
        <div>
          <p className="quiet small below">Or tap what fits</p>
          <ul className="chips wrap">
            {ROLES.map((role) => (
              <li key={role}>
                <Role role={role} does={words.does} onChange={(does) => set({ does })} />
              </li>
            ))}
          </ul>
        </div>
        {field("where", "Where, if you like", 120, { placeholder: "London, online" })}
        {/* Lets Enter submit. */}
        <button type="submit" hidden aria-label="Next" />
      </form>
    </WelcomeFrame>
  );
}

interface RoleProps {
  readonly role: string;
  readonly does: string;
  readonly onChange: (does: string) => void;
}

/** Appends a role, or removes it. */
function Role({ role, does, onChange }: RoleProps) {
  const parts = partsOf(does);
  const others = parts.filter((part) => part.toLowerCase() !== role.toLowerCase());
  const isThere = others.length < parts.length;
  return (
    <button
      type="button"
      className="ui-button chip"
      aria-pressed={isThere}
      onClick={() => onChange(joined(isThere ? others : [...parts, role]))}
    >
      {isThere && <Check size={14} className="faint" aria-hidden="true" />}
      {role}
    </button>
  );
}

/** The text of an earlier step; a subtitle equal to the name, and the initial tagline, don't count. */
function wordsIn({ mainTitle, subtitle, tagline }: StepProps["hero"]): PosterWords {
  const does = subtitle === mainTitle ? "" : subtitle;
  const isWhere = does !== "" && heroOf({ name: mainTitle, does, where: "" }).tagline !== tagline;
  return { name: mainTitle, does, where: isWhere ? taglineParts(tagline).join(", ") : "" };
}
