/** The first screen of the welcome: the hero's text. */
import Check from "lucide-react/icons/check";
import { taglineParts } from "../../../schema/sections/tagline.ts";
import { useLoadedWords } from "../../words/load.ts";
import { useEntity } from "../data/useEntity.ts";
import { TextField } from "../../ui/Field.tsx";
import { Form, useForm, useValues } from "../../ui/Form.tsx";
import { heroOf, joinParts, partsOf, type PosterFields, savePoster } from "./siteWriting.ts";
import { type StepProps, useSaving } from "./step.ts";
import { Foot, WelcomeFrame } from "./WelcomeFrame.tsx";

const line = (name: keyof PosterFields, most: number) => ({
  name,
  most,
  isCounted: true,
  dir: "auto",
  autoComplete: "off",
});

export function PosterStep({ hero, onNext, onLater }: StepProps) {
  const { save, go, ...saving } = useSaving(onNext);
  const form = useForm(useValues(fieldsIn(hero)), {
    save: async (typed) => {
      if (!isOff(typed) && !saving.pending) save(() => savePoster(typed, hero));
    },
  });
  const typed = form.values;
  return (
    <WelcomeFrame
      step={1}
      title="What should your first screen say?"
      note="Two lines are enough. You can change every word later."
      hero={{ ...hero, ...heroOf(typed) }}
      posterOnPhone
      foot={
        <Foot
          back="Skip setup"
          onBack={() => go(onLater)}
          next="Next"
          onNext={form.send}
          {...saving}
          off={isOff(typed)}
        />
      }
    >
      <Form of={form}>
        <TextField {...line("name", 80)} label="Your name or stage name" />
        <TextField {...line("does", 120)} label="What you do" />
        <Roles does={typed.does} onChange={(does) => form.set({ does })} />
        <TextField
          {...line("where", 120)}
          label="Location (optional)"
          placeholder="London, online"
        />
        {/* Lets Enter submit. */}
        <button type="submit" hidden aria-label="Next" />
      </Form>
    </WelcomeFrame>
  );
}

const isOff = ({ name }: PosterFields) => name.trim() === "";

interface RolesProps {
  readonly does: string;
  readonly onChange: (does: string) => void;
}

/** Suggestions for "What you do", in the site's language. */
function Roles(props: RolesProps) {
  const language = useEntity("site").value?.language ?? "en";
  const roles = useLoadedWords(language)?.words.welcome.roles;
  return (
    <div>
      <p className="quiet small mb-16">Or pick a suggestion</p>
      <ul className="cluster">
        {Object.values(roles ?? {}).map((role) => (
          <li key={role}>
            <Role {...props} role={role} language={language} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RoleProps extends RolesProps {
  readonly role: string;
  readonly language: string;
}

/** Appends one of the site's words for a role to "What you do", or removes it. */
function Role({ role, does, language, onChange }: RoleProps) {
  const parts = partsOf(does);
  const others = parts.filter((part) => part.toLowerCase() !== role.toLowerCase());
  const isSelected = others.length < parts.length;
  return (
    <button
      type="button"
      className="ui-button chip"
      aria-pressed={isSelected}
      onClick={() => onChange(joinParts(isSelected ? others : [...parts, role], language))}
    >
      {isSelected && <Check size={14} className="faint" aria-hidden="true" />}
      {role}
    </button>
  );
}

/** The text of an earlier step; a subtitle equal to the name, and the initial tagline, don't count. */
function fieldsIn({ mainTitle, subtitle, tagline }: StepProps["hero"]): PosterFields {
  const does = subtitle === mainTitle ? "" : subtitle;
  const isWhere = does !== "" && heroOf({ name: mainTitle, does, where: "" }).tagline !== tagline;
  return { name: mainTitle, does, where: isWhere ? taglineParts(tagline).join(", ") : "" };
}
