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

const createLineField = (name: keyof PosterFields, maxCharacters: number) => ({
  name,
  maxCharacters,
  isCounted: true,
  dir: "auto",
  autoComplete: "off",
});

export function PosterStep({ hero, onNext, onLater }: StepProps) {
  const { save, go, ...saving } = useStepSave(onNext);
  const form = useForm(useFormValues(readPosterFields(hero)), {
    save: async (typed) => {
      if (!isIncomplete(typed) && !saving.isPending) save(() => savePoster(typed, hero));
    },
  });
  const typed = form.values;
  return (
    <WelcomeFrame
      step={1}
      title="What should your first screen say?"
      note="Two lines are enough. You can change every word later."
      hero={{ ...hero, ...createHero(typed) }}
      hasPosterOnPhone
      footer={
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
        <TextField {...createLineField("occupation", 120)} label="What you do" />
        <RoleSuggestions
          occupation={typed.occupation}
          onChange={(occupation) => form.set({ occupation })}
        />
        <TextField
          {...createLineField("location", 120)}
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
  readonly occupation: string;
  readonly onChange: (occupation: string) => void;
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

/** Adds a suggestion to "What you do", or removes it. */
function RoleButton({ role, occupation, language, onChange }: RoleButtonProps) {
  const parts = splitOccupation(occupation);
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
  const occupation = subtitle === mainTitle ? "" : subtitle;
  const isWhere =
    occupation !== "" &&
    createHero({ name: mainTitle, occupation, location: "" }).tagline !== tagline;
  return { name: mainTitle, occupation, location: isWhere ? splitTagline(tagline).join(", ") : "" };
}
