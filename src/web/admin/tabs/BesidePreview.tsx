/** An editor made from a declaration beside the section of the home page that shows its entity. */
import { useSignals } from "@preact/signals-react/runtime";
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { DocumentKey } from "../../../schema/index.ts";
import { homeSectionOf } from "../../sectionPreviews.ts";
import { editedValue } from "../drafts/editedValue.ts";
import { Preview } from "../editor/Preview.tsx";
import { entityQuery } from "../queries/useEntity.ts";

/** `children` is the editor; it stands alone when no section shows the entity. */
export function BesidePreview({ entity, children }: { entity: DocumentKey; children: ReactNode }) {
  const reads = useReadsOfSection(entity);
  return (
    <div className={reads ? "columns" : undefined}>
      {children}
      {reads && <SectionPreview entity={entity} reads={reads} />}
    </div>
  );
}

/** All that the entity's section reads, once its code is there. */
function useReadsOfSection(entity: DocumentKey): readonly DocumentKey[] | undefined {
  const [reads, setReads] = useState<readonly DocumentKey[]>();
  useEffect(() => {
    let left = false;
    const note = (section: { reads: readonly unknown[] } | undefined) =>
      left || setReads(section?.reads as readonly DocumentKey[] | undefined);
    // Without the section's code the editor still works.
    homeSectionOf(entity).then(note, () => undefined);
    return () => {
      left = true;
    };
  }, [entity]);
  return reads;
}

function SectionPreview({ entity, reads }: { entity: DocumentKey; reads: readonly DocumentKey[] }) {
  useSignals();
  const read = useQueries({ queries: reads.map((key) => entityQuery(key)) });
  const values = read.map(({ data }, at) => data && editedValue(reads[at]!, data.value));
  if (values.some((value) => value === undefined)) return null;
  const content = Object.fromEntries(reads.map((key, at) => [key, values[at]!.value]));
  if (Array.isArray(content[entity]) && content[entity].length === 0) return null;
  return (
    <Preview section={entity} content={content} edited={values.some((value) => value!.edited)} />
  );
}
