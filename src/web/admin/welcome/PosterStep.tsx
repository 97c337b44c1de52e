/** The first screen of the welcome: the hero's texts. */
import Check from "lucide-react/icons/check";
import { splitTagline } from "../../../schema/sections/tagline.ts";
import { useLoadedWords } from "../../words/load.ts";
import { useEntity } from "../data/useEntity.ts";
import { TextField } from "../../ui/Field.tsx";
import { Form, useForm, useFormValues } from "../../ui/Form.tsx";
import {
  createHero,
  joinParts,
  splitOccupation,
  type PosterFields,
  savePoster,
} from "./saveWelcome.ts";
import { type StepProps, useStepSave, StepButtons, WelcomeFrame } from "./WelcomeFrame.tsx";

const createLineField = (name: keyof PosterFields, most: number) => ({
  name,
  most,
  isCounted: true,
  dir: "auto",
  autoComplete: "off",
});

export function PosterStep({ hero, onNext, onLater }: StepProps) {
  const { save, go, ...saving } = useStepSave(onNext);
  const form = useForm(useFormValues(readPosterFields(hero)), {
    save: async (typed) => {
      if (!isIncomplete(typed) && !saving.pending) save(() => savePoster(typed, hero));
    },
  });
  const typed = form.values;
  return (
    <WelcomeFrame
      step={1}
      title="What should your first screen say?"
      note="Two lines are enough. You can change every word later."
      hero={{ ...hero, ...createHero(typed) }}
      posterOnPhone
      foot={
        <StepButtons
          backLabel="Skip setup"
          onBack={() => go(onLater)}
          onNext={form.submit}
          {...saving}
          isDisabled={isIncomplete(typed)}
        />
      }
    >
      <Form form={form}>
        <TextField {...createLineField("name", 80)} label="Your name or stage name" />
        <TextField {...createLineField("does", 120)} label="What you do" />
        <RoleSuggestions does={typed.does} onChange={(does) => form.set({ does })} />
        <TextField
          {...createLineField("where", 120)}
          label="Location (optional)"
          placeholder="London, online"
        />
        {/* Browsers submit on Enter only if the form has a submit button. */}
        <button type="submit" hidden aria-label="Next" />
      </Form>
    </WelcomeFrame>
  );
}

const isIncomplete = ({ name }: PosterFields) => name.trim() === "";

interface RoleSuggestionsProps {
  readonly does: string;
  readonly onChange: (does: string) => void;
}

/** In the site's language. */
function RoleSuggestions(props: RoleSuggestionsProps) {
  const language = useEntity("site").value?.language ?? "en";
  const roles = useLoadedWords(language)?.words.welcome.roles;
  return (
    <div>
      <p className="quiet small mb-16">Or pick a suggestion</p>
      <ul className="cluster">
        {Object.values(roles ?? {}).map((role) => (
          <li key={role}>
            <RoleButton {...props} role={role} language={language} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RoleButtonProps extends RoleSuggestionsProps {
  readonly role: string;
  readonly language: string;
}

/** Adds a role to "What you do", or removes it. */
function RoleButton({ role, does, language, onChange }: RoleButtonProps) {
  const parts = splitOccupation(does);
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

/** The stored texts. A subtitle equal to the name and the initial tagline count as empty. */
function readPosterFields({ mainTitle, subtitle, tagline }: StepProps["hero"]): PosterFields {
  const does = subtitle === mainTitle ? "" : subtitle;
  const isWhere =
    does !== "" && createHero({ name: mainTitle, does, where: "" }).tagline !== tagline;
  return { name: mainTitle, does, where: isWhere ? splitTagline(tagline).join(", ") : "" };
}
