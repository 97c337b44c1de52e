/** The pictures of a backup that the site no longer has; one can be selected. */
import type { BackupContent, BackupPicture } from "../../../../schema/api/backups.ts";
import { createFocusStyle, UploadPicture } from "../../parts/UploadPicture.tsx";

interface BackupPicturesProps {
  readonly content: BackupContent;
  readonly selectedId: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function BackupPictures({ content, selectedId, onChoose }: BackupPicturesProps) {
  const missing = content.pictures.filter(({ isHere }) => !isHere);
  if (missing.length === 0)
    return (
      <p className="pad border-bottom quiet">All images in this backup are still on your site.</p>
    );
  return (
    <div className="inside-pictures pad auto-grid border-bottom">
      {missing.map((picture) => (
        <button
          key={picture.id}
          type="button"
          className="option stack quiet note"
          aria-pressed={picture.id === selectedId}
          onClick={() => onChoose(picture.id)}
        >
          <Thumbnail content={content} picture={picture} />
          <span>{picture.name}</span>
        </button>
      ))}
    </div>
  );
}

/** The thumbnail of an uploaded picture, from the site or, if it was deleted, from the backup. */
export function BackupThumbnail({ content, url }: { content: BackupContent; url: string }) {
  const picture = content.pictures.find((each) => each.url === url);
  if (picture && !picture.isHere) return <Thumbnail content={content} picture={picture} />;
  return <UploadPicture url={url} className="inside-small well" />;
}

function Thumbnail({ content, picture }: { content: BackupContent; picture: BackupPicture }) {
  const { id, tone, focus, hasSmall } = picture;
  if (!hasSmall) return <span className="inside-small well" />;
  const thumbnailUrl = `/api/backups/${encodeURIComponent(content.id)}/pictures/${encodeURIComponent(id)}`;
  return (
    <img
      className="inside-small well"
      src={thumbnailUrl}
      style={createFocusStyle(focus)}
      data-tone={tone}
      alt=""
      loading="lazy"
    />
  );
}
