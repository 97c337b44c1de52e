/** The Files tab (spec section 2): upload, look, download, delete. */
import FolderOpen from "lucide-react/icons/folder-open";
import { Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { TabHead } from "../parts/TabHead.tsx";
import { WhenRead } from "../parts/WhenRead.tsx";
import { useEntity } from "../queries/useEntity.ts";
import { useUploads } from "../queries/useUploads.ts";
import { DropArea } from "./files/DropArea.tsx";
import { FileTile } from "./files/FileTile.tsx";
import { UploadRow } from "./files/UploadRow.tsx";
import { useUploading } from "./files/useUploading.ts";
import { adoptStyles } from "../parts/adoptStyles.ts";
import filesCss from "../styles/files.css" with { type: "text" };

adoptStyles(filesCss);

/** Shows the drop area, what is on its way, and every file. */
export function FilesTab() {
  const read = useEntity("uploads");
  const { files = [] } = useUploads();
  const { running, add, cancel } = useUploading();
  return (
    <>
      <TabHead title="Files" note="The pictures of your site." />
      <div className="stack">
        <DropArea onFiles={add} busy={running.length > 0} />
        {running.length > 0 && (
          <ul className="uploading" aria-label="Uploads">
            {running.map((upload) => (
              <UploadRow key={upload.id} upload={upload} onCancel={() => cancel(upload.id)} />
            ))}
          </ul>
        )}
        <Card title="All files" note={read.value?.length} className="plain">
          <WhenRead of={read} what="files">
            {() =>
              files.length === 0 ? (
                <EmptyState
                  icon={FolderOpen}
                  title="No files uploaded yet. Upload your first file above."
                />
              ) : (
                <ul className="files">
                  {files.map((file) => (
                    <FileTile key={file.id} file={file} />
                  ))}
                </ul>
              )
            }
          </WhenRead>
        </Card>
      </div>
    </>
  );
}
