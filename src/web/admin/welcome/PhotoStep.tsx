/** The second screen of the welcome: a photo of the performer. */
import CircleCheck from "lucide-react/icons/circle-check";
import ImagePlus from "lucide-react/icons/image-plus";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useRef, useState } from "react";
import { portraitLayout } from "../../../schema/sections/heroPortrait.ts";
import { STILLED, UPLOAD_TYPES } from "../../../schema/pictures/uploadLimits.ts";
import { useShell } from "../../shared/shell.ts";
import { Button } from "../../ui/Button.tsx";
import { failureMessage, toastSuccess } from "../../ui/messages.ts";
import {
  FileRefused,
  preparePicture,
  saveUploadFields,
  formatProgress,
  uploadedShare,
  uploadFile,
} from "../data/uploadPicture.ts";
import type { Upload } from "../data/uploads.ts";
import { useUnsentForm } from "../data/useUnsentForm.ts";
import { CutBoard } from "../editor/CutBoard.tsx";
import { FigureMiniature, Miniature } from "../editor/PicturePlaces.tsx";
import { FieldFrame } from "../../ui/FieldFrame.tsx";
import { PictureOf } from "../parts/PictureOf.tsx";
import { savePhotos } from "./siteWriting.ts";
import { type StepProps, useSaving, welcomeForm } from "./step.ts";
import { Foot, WelcomeFrame } from "./WelcomeFrame.tsx";

export function PhotoStep({ hero, onNext, onBack }: StepProps) {
  const { styles } = useShell();
  const form = useUnsentForm<Photos>(welcomeForm("photo"), NO_PHOTO);
  const { photo, second } = form.values;
  const setPhoto = (chosen: Upload) => form.set({ photo: chosen });
  const { save, go, ...saving } = useSaving(onNext);
  // Most photos show the performer.
  const upload = useUpload((sent) => setPhoto({ ...sent, alt: sent.alt || hero.mainTitle }));
  const another = useUpload((sent) =>
    form.set({ second: { ...sent, alt: sent.alt || hero.mainTitle } }),
  );
  const change = (some: Partial<Upload>) => photo && setPhoto({ ...photo, ...some });
  const shown = photo?.url ?? hero.backgroundImage;
  const next = () =>
    save(async () => {
      if (!photo) return;
      await saveUploadFields(photo.id, fieldsOf(photo));
      if (second) await saveUploadFields(second.id, fieldsOf(second));
      await savePhotos(photo.url, second?.url);
      form.forget();
    });
  return (
    <WelcomeFrame
      step={2}
      title="A photo of you"
      note="Any photo from your phone works. We'll rotate and resize it for you."
      hero={{ ...hero, backgroundImage: shown }}
      styles={styles}
      foot={
        <Foot
          back="Back"
          onBack={() => go(onBack)}
          next={shown ? "Next" : "Skip for now"}
          skips={!shown}
          onNext={next}
          {...saving}
          off={upload.sending !== undefined || another.sending !== undefined}
        />
      }
    >
      {photo && <FocusBoard photo={photo} onChange={change} />}
      {!photo && shown && <PictureOf url={shown} className="welcome-photo well full-width" />}
      {photo && (
        <p className="row mt-12 mb-16">
          <CircleCheck size={20} aria-hidden="true" />
          <span>
            <strong>Photo ready</strong> <span className="quiet">{sizeOf(photo)}</span>
          </span>
        </p>
      )}
      {photo && <CutsShown photo={photo} />}
      {photo && (
        <FieldFrame
          id="welcome-alt"
          label="Describe the photo"
          hint="Screen readers read this aloud."
          limit={{ text: photo.alt, most: 160 }}
        >
          <input
            id="welcome-alt"
            type="text"
            dir="auto"
            aria-describedby="welcome-alt-note"
            value={photo.alt}
            onChange={({ target }) => change({ alt: target.value })}
          />
        </FieldFrame>
      )}
      <HowFar of={upload} />
      <PhotoButton isFirst={!shown} onChoose={upload.send} />
      {photo && (
        <SecondPhoto
          photo={second}
          upload={another}
          onLeaveOut={() => form.set({ second: undefined })}
        />
      )}
    </WelcomeFrame>
  );
}

/** For the heroes, and an optional one for About. */
interface Photos {
  readonly photo: Upload | undefined;
  readonly second: Upload | undefined;
}

const NO_PHOTO: Photos = { photo: undefined, second: undefined };

const fieldsOf = ({ originalName, alt, decorative, kind, focus, cuts }: Upload) => ({
  originalName,
  alt,
  decorative,
  kind,
  focus,
  cuts,
});

interface SecondPhotoProps {
  readonly photo: Upload | undefined;
  readonly upload: ReturnType<typeof useUpload>;
  readonly onLeaveOut: () => void;
}

/** Avoids the same photo everywhere. */
function SecondPhoto({ photo, upload, onLeaveOut }: SecondPhotoProps) {
  return (
    <section
      className="welcome-second gap-12 stack border-top"
      aria-label="Second photo, for the About section (optional)"
    >
      <p>
        <strong>Second photo, for the About section (optional)</strong>{" "}
        <span className="quiet">Without one, About uses the first photo.</span>
      </p>
      {photo && <Miniature picture={photo} place="about" />}
      <HowFar of={upload} />
      <div className="cluster">
        <PhotoButton label="Second photo" isFirst={false} onChoose={upload.send}>
          {photo ? "Change the second photo" : "Add a second photo"}
        </PhotoButton>
        {photo && (
          <Button variant="quiet" onClick={onLeaveOut}>
            Remove photo
          </Button>
        )}
      </div>
    </section>
  );
}

/** An upload's progress, and why a file was refused. */
function HowFar({ of: { sending, refused } }: { of: ReturnType<typeof useUpload> }) {
  return (
    <>
      {sending && (
        <label className="mt-12 mb-16 gap-4 stack tabular quiet small">
          <span>{sending.message}</span>
          <progress value={sending.share} />
        </label>
      )}
      {refused !== undefined && (
        <p className="row bad mt-12 mb-16" role="alert">
          <TriangleAlert size={16} aria-hidden="true" /> {refused}
        </p>
      )}
    </>
  );
}

interface FocusBoardProps {
  readonly photo: Upload;
  readonly onChange: (some: Partial<Upload>) => void;
}

/** A tap sets the photo's focus for every crop. */
function FocusBoard({ photo, onChange }: FocusBoardProps) {
  return (
    <>
      <CutBoard
        picture={photo}
        place={null}
        onFocus={(focus) => onChange({ focus })}
        onCut={() => undefined}
      />
      <p id="crop-hint" className="quiet small mb-16">
        Tap your face to keep it in view on every screen.
      </p>
    </>
  );
}

/** The photo's crops on a phone and a computer, with the focus set. */
function CutsShown({ photo }: { photo: Upload }) {
  const placed = portraitLayout(photo, "left");
  const figure = placed?.shape === "upright" ? placed : undefined;
  return (
    <div className="welcome-crops row gap-12 align-end mb-16">
      <figure>
        {figure ? (
          <FigureMiniature picture={photo} ratio={Math.max(figure.ratio, ABOVE_TEXT)} />
        ) : (
          <Miniature picture={photo} place="heroTall" />
        )}
        <figcaption className="faint small">Phone</figcaption>
      </figure>
      <figure>
        {figure ? (
          <FigureMiniature picture={photo} ratio={figure.ratio} />
        ) : (
          <Miniature picture={photo} place="heroWide" />
        )}
        <figcaption className="faint small">Computer</figcaption>
      </figure>
    </div>
  );
}

/** Width to height of what the words leave on a phone of 390 by 844 pixels. */
const ABOVE_TEXT = 0.8;

interface PhotoButtonProps {
  readonly label?: string;
  readonly isFirst: boolean;
  readonly children?: string;
  readonly onChoose: (file: File) => void;
}

function PhotoButton({ label = "Photo", isFirst, children, onChoose }: PhotoButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={UPLOAD_TYPES.join(",")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
          target.value = "";
        }}
      />
      <Button
        className={isFirst ? "welcome-choose full-width large" : ""}
        onClick={() => input.current?.click()}
      >
        <ImagePlus size={20} aria-hidden="true" />{" "}
        {children ?? (isFirst ? "Choose a photo" : "Change")}
      </Button>
    </>
  );
}

/** Shrinks and uploads a file, with its progress or refusal. */
function useUpload(onUploaded: (upload: Upload) => void) {
  const [sending, setSending] = useState<Sending>();
  const [refused, setRefused] = useState<string>();
  const send = async (file: File) => {
    setRefused(undefined);
    setSending({ message: "Resizing..." });
    try {
      const { picture, isStill } = await preparePicture(file);
      onUploaded(
        await uploadFile(picture, { onProgress: (share) => setSending(howFar(share, picture)) }),
      );
      if (isStill) toastSuccess(`File uploaded successfully. ${STILLED}`);
    } catch (error) {
      const fallback = "Couldn't upload the photo. Check your connection and try again.";
      setRefused(error instanceof FileRefused ? error.message : failureMessage(error, fallback));
    } finally {
      setSending(undefined);
    }
  };
  return { sending, refused, send: (file: File) => void send(file) };
}

/** `share` goes from 0 to 1; undefined while the picture is shrunk, or processed on the server. */
interface Sending {
  readonly message: string;
  readonly share?: number | undefined;
}

function howFar(share: number, { size }: File): Sending {
  return { message: formatProgress(share * size, size), share: uploadedShare(share * size, size) };
}

function sizeOf({ size, width, height }: Upload): string {
  return `${width} × ${height}, ${Math.round(size / 1024)} KB`;
}
