/** Creates a form from a template, or an empty one. */
import X from "lucide-react/icons/x";
import { useState } from "react";
import { entities, type Item } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import { Button, type ButtonProps } from "../../../ui/Button.tsx";
import { useLoadedWords } from "../../../words/loadSiteWords.ts";
import type { Words } from "../../../words/en.ts";
import { useEntity } from "../../data/useEntity.ts";
import { createItem } from "../../data/entityWrites.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { createFormBody } from "./formSteps.ts";
import css from "./TemplateChooser.css" with { type: "text" };
import {
  type FormTemplate,
  createFormFromTemplate,
  describePage,
  translateLabel,
  proposePath,
  FORM_TEMPLATES,
} from "./templates.ts";

/** Without `onClose`, there is no Close button. */
interface TemplateChooserProps {
  readonly forms: readonly Item<"forms">[];
  readonly onCreated: (form: Item<"forms">) => void;
  readonly onClose?: () => void;
}

export function TemplateChooser({ forms, onCreated, onClose }: TemplateChooserProps) {
  useStylesheet(css);
  const [pendingName, setPendingName] = useState<string>();
  const translation = useLoadedWords(useEntity("site").value?.language ?? "en");
  const findPath = (template: FormTemplate) =>
    translation ? proposePath(template, forms, translation) : null;
  const [isPending, create] = useAction(
    async (name: string, createForm: () => Promise<Item<"forms">>) => {
      setPendingName(name);
      onCreated(await createForm());
    },
    getWriteMessages(entities.forms, "create"),
  );
  return (
    <section className="templates" aria-label="Create a form">
      <header className="row align-start gap-12 justify-between mb-16">
        <div>
          <h3>Start from a template</h3>
          <p className="quiet small">You can edit everything. A new form is active right away.</p>
        </div>
        {onClose && <IconButton icon={X} label="Close templates" onClick={onClose} />}
      </header>
      <ul className="template-cards auto-grid gap-12">
        {FORM_TEMPLATES.map((template, index) => (
          <li key={template.name} className="card card-body template-card stack gap-16">
            <TemplateText
              template={template}
              words={translation?.words}
              pageNote={describePage(template, forms, translation)}
            />
            <Button
              variant={index === 0 ? "primary" : "neutral"}
              aria-label={`Use template: ${template.name}`}
              disabled={isPending && pendingName !== template.name}
              isPending={isPending && pendingName === template.name}
              onClick={() =>
                create(template.name, () => createFormFromTemplate(template, findPath(template)))
              }
            >
              Use template
            </Button>
          </li>
        ))}
        <BlankFormCard
          disabled={isPending && pendingName !== ""}
          isPending={isPending && pendingName === ""}
          onClick={() => create("", () => createItem("forms", createFormBody(forms.length + 1)))}
        />
      </ul>
    </section>
  );
}

function BlankFormCard(button: Pick<ButtonProps, "disabled" | "isPending" | "onClick">) {
  return (
    <li className="card card-body template-card stack gap-16">
      <div className="grow">
        <h4>Blank form</h4>
        <p className="quiet small">Build it question by question.</p>
      </div>
      <Button {...button}>Start blank</Button>
    </li>
  );
}

interface TemplateTextProps {
  readonly template: FormTemplate;
  readonly words: Words | undefined;
  readonly pageNote: string;
}

function TemplateText({ template: { name, note, steps }, words, pageNote }: TemplateTextProps) {
  const questions = steps
    .flatMap((step) => step.questions)
    .filter(({ isActive = true }) => isActive);
  return (
    <div className="grow">
      <h4 className="justify-between cluster">
        {name} <span className="quiet note">{questions.length} questions</span>
      </h4>
      <p className="quiet small">
        {note} {pageNote}
      </p>
      <ul className="template-questions mt-12 desktop-only">
        {questions.map(({ label }) => (
          <li key={label} className="faint small">
            {translateLabel(label, words)}
          </li>
        ))}
      </ul>
    </div>
  );
}
