/** The Files tab: upload, find, look, edit, download, delete. */
import { Segments } from "../../ui/Segments.tsx";
import { useSignals } from "@preact/signals-react/runtime";
import FolderOpen from "lucide-react/icons/folder-open";
import Search from "lucide-react/icons/search";
import { useState } from "react";
import { addingsOf, isOnTheWay } from "../data/addings.ts";
import { type Upload, useUploads } from "../data/uploads.ts";
import { useEntity } from "../data/useEntity.ts";
import { EditPicture } from "../editor/EditPicture.tsx";
import { AddingAt } from "../parts/AddingAt.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { addPictures } from "../parts/ChooseFiles.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { Read } from "../../ui/Read.tsx";
import { DropArea } from "./DropArea.tsx";
import css from "./FilesTab.css" with { type: "text" };
import { FileTile } from "./FileTile.tsx";

/** What is added here stays on its way while other tabs are open. */
const PLACE = "files";

/** The drop area, what is on its way, and every file. */
export function FilesTab() {
  useSheet(css);
  useSignals();
  const read = useEntity("uploads");
  const { files = [] } = useUploads();
  return (
    <>
      <TabHead title="Files" note="The pictures of your site." />
      <div className="stack">
        <DropArea
          onFiles={(chosen) => void addPictures(PLACE, chosen)}
          busy={addingsOf(PLACE).some(isOnTheWay)}
        />
        <AddingAt place={PLACE} />
        <Card title="All files" note={read.value?.length} className="plain">
          <Read of={read} what="files">
            {() =>
              files.length === 0 ? (
                <EmptyState
                  icon={FolderOpen}
                  title="No files uploaded yet. Upload your first file above."
                />
              ) : (
                <Files files={files} />
              )
            }
          </Read>
        </Card>
      </div>
    </>
  );
}

/** Ways to look at the files. */
const FILTERS = {
  All: () => true,
  Photos: ({ kind }: Upload) => kind !== "logo",
  Logos: ({ kind }: Upload) => kind === "logo",
  Unused: ({ usedIn = [] }: Upload) => usedIn.length === 0,
} as const;

type Filter = keyof typeof FILTERS;

const NAMES = Object.keys(FILTERS) as Filter[];

function Files({ files }: { files: readonly Upload[] }) {
  const [filter, setFilter] = useState<Filter>("All");
  const [words, setWords] = useState("");
  const [open, setOpen] = useState<{ id: string; first?: "alt" | undefined }>();
  const found = files.filter((file) => FILTERS[filter](file) && matches(file, words));
  return (
    <>
      <div className="files-find">
        <label className="files-search">
          <Search size={16} aria-hidden="true" />
          <input
            type="search"
            aria-label="Search names and words"
            placeholder="Search names and words"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
        <Segments
          label="Which files"
          options={NAMES.map((value) => ({
            value,
            label: value,
            count: files.filter(FILTERS[value]).length,
          }))}
          value={filter}
          onChoose={setFilter}
        />
      </div>
      {found.length === 0 && (
        <p className="files-none">
          {words ? "No file has these words." : "No files of this kind."}
        </p>
      )}
      <ul className="files">
        {found.map((file) => (
          <FileTile key={file.id} file={file} onEdit={(first) => setOpen({ id: file.id, first })} />
        ))}
      </ul>
      {open && (
        <EditPicture
          {...open}
          onReplaced={(id) => setOpen({ id })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** In the name or in what it shows, upper and lower case alike. */
function matches({ originalName, alt }: Upload, words: string): boolean {
  return `${originalName} ${alt ?? ""}`.toLowerCase().includes(words.trim().toLowerCase());
}
