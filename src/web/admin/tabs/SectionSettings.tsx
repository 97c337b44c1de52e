/** A section's settings beside a preview, and a list beside a preview of its section. */
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import {
  type DocumentKey,
  entities,
  type Entity,
  type SingletonKey,
} from "../../../schema/index.ts";
import type { OptionalSectionColors } from "../../../schema/looks/looks.ts";
import { hasPreview, type PreviewName } from "../../previews/sectionPreviews.ts";
import type { PageContent } from "../../shared/content.ts";
import { resolveColors } from "../../shared/theme.ts";
import { useUnsavedDrafts } from "../data/drafts.ts";
import { applyDrafts } from "../data/editedValue.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { createEntityQuery, useEntity } from "../data/useEntity.ts";
import { EntityForm } from "../editor/Field.tsx";
import { HistoryButton, SaveButton } from "../editor/tabButtons.tsx";
import type { FieldOverrides } from "../editor/inputProps.ts";
import { Preview } from "../editor/Preview.tsx";
import { useArrangement } from "../editor/useArrangement.ts";
import { Card } from "../parts/Card.tsx";
import { AsyncContent } from "../../ui/AsyncContent.tsx";

/** `content` is what the preview shows besides the settings, such as the list's items. */
interface SectionSettingsProps {
  readonly entity: SingletonKey;
  readonly section: PreviewName;
  readonly title?: string;
  readonly saveLabel?: string;
  readonly content?: PageContent;
  readonly autosaveMs?: number | undefined;
}

/** A section's settings, beside a preview if a page shows the section. */
export function SectionSettings(props: SectionSettingsProps) {
  const {
    entity,
    title = "Settings",
    saveLabel = "Save Settings",
    section,
    content,
    autosaveMs,
  } = props;
  const draft = useDraft(entity, { autosaveMs });
  const isPreviewable = useHasPreview(section);
  const previewProps = isPreviewable ? { section, content: content ?? {} } : {};
  return (
    <div className={isPreviewable ? "columns stack gap-16" : "stack gap-16"}>
      <Card
        title={title}
        {...(title === "Settings" && { note: "Heading and colors" })}
        actions={<HistoryButton entity={entity} {...previewProps} />}
      >
        <AsyncContent state={draft} subject="settings">
          {() => (
            <>
              <SettingsForm draft={draft} />
              <div className="actions">
                <SaveButton drafts={[draft]}>{saveLabel}</SaveButton>
              </div>
            </>
          )}
        </AsyncContent>
      </Card>
      {isPreviewable && draft.isReady && (
        <Preview
          section={section}
          content={{ ...content, [entity]: draft.values }}
          editedLabel={draft.dirtyFields.length > 0}
        />
      )}
    </div>
  );
}

/** Whether the section has a preview. For some sections, false until the pages' code is loaded. */
export function useHasPreview(section: PreviewName): boolean {
  const { value: arrange } = useArrangement();
  const entity: Entity | undefined = entities[section as DocumentKey];
  return entity?.tab?.previewPosition !== undefined || hasPreview(section, arrange);
}

/** A settings form. A color that isn't set shows the look's color. */
function SettingsForm({ draft }: { draft: Draft<any> }) {
  const { value: theme } = useEntity("styles");
  const { colorSet: colors } = entities[draft.entityKey as SingletonKey] as Entity & {
    shape: "singleton";
  };
  if (colors === undefined || !theme) return <EntityForm draft={draft} />;
  const resolvedColors = resolveColors(theme, draft.values as OptionalSectionColors);
  const contrastWith = {
    color: resolvedColors.backgroundColor,
    message: "Hard to read on the background",
  };
  const fields: Record<string, FieldOverrides> = {
    backgroundColor: { fallbackColor: resolvedColors.backgroundColor },
    textColor: { fallbackColor: resolvedColors.textColor, contrastWith },
    accentColor: { fallbackColor: resolvedColors.accentColor, contrastWith },
  };
  return <EntityForm draft={draft} fields={fields} />;
}

/** Shows a list and, if the home page shows the list's section, a preview of that section. */
export function WithSectionPreview({
  entity,
  children,
}: {
  entity: DocumentKey;
  children: ReactNode;
}) {
  const { value: arrange } = useArrangement();
  const entityKeys = arrange?.([]).find((section) =>
    section.entityKeys.includes(entity),
  )?.entityKeys;
  return (
    <div className={entityKeys && "columns stack gap-16"}>
      {children}
      {entityKeys && (
        <SectionPreview entity={entity} entityKeys={entityKeys as readonly DocumentKey[]} />
      )}
    </div>
  );
}

/** `entityKeys` are all entities that the section shows. */
interface SectionPreviewProps {
  readonly entity: DocumentKey;
  readonly entityKeys: readonly DocumentKey[];
}

function SectionPreview({ entity, entityKeys }: SectionPreviewProps) {
  const unsavedDrafts = useUnsavedDrafts();
  const entityQueries = useQueries({ queries: entityKeys.map((key) => createEntityQuery(key)) });
  const values = entityKeys.flatMap((key, index) => {
    const stored = entityQueries[index]?.data;
    return stored ? [{ key, ...applyDrafts(key, stored.value, unsavedDrafts) }] : [];
  });
  if (values.length < entityKeys.length) return null;
  const content = Object.fromEntries(values.map(({ key, value }) => [key, value]));
  if (Array.isArray(content[entity]) && content[entity].length === 0) return null;
  return (
    <Preview
      section={entity}
      content={content}
      editedLabel={values.some(({ isEdited }) => isEdited)}
    />
  );
}
