/** The second screen of the welcome: a photo of the performer. */
import CircleCheck from "lucide-react/icons/circle-check";
import ImagePlus from "lucide-react/icons/image-plus";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useRef, useState } from "react";
import { UPLOAD_TYPES } from "../../../schema/uploads.ts";
import { useShell } from "../../shared/shell.ts";
import { Button } from "../../ui/Button.tsx";
import { failureWords } from "../data/messages.ts";
import { type Upload, uploadFile, wrongWith } from "../data/uploads.ts";
import { PictureOf } from "../parts/PictureOf.tsx";
import { savePhoto } from "./siteWriting.ts";
import { type StepProps, useSaving } from "./step.ts";
import { Foot, WelcomeFrame } from "./WelcomeFrame.tsx";

export function PhotoStep({ hero, onNext, onBack }: StepProps) {
  const { styles } = useShell();
  const [photo, setPhoto] = useState<Upload>();
  const { pending, failed, save } = useSaving(onNext);
  const upload = useUpload(setPhoto);
  const shown = photo?.url ?? hero.backgroundImage;
  const next = () =>
    void save(async () => {
      if (photo) await savePhoto(photo.url);
    });
  return (
    <WelcomeFrame
      step={2}
      title="A photo of you"
      note="Any photo from your phone. It is turned upright and made smaller for you."
      hero={{ ...hero, backgroundImage: shown }}
      styles={styles}
      foot={
        <Foot
          back="Back"
          onBack={() => void onBack()}
          next={shown ? "Next" : "Use the stage light for now"}
          onNext={next}
          pending={pending}
          failed={failed}
          off={upload.share !== undefined}
        />
      }
    >
      {shown && <PictureOf url={shown} className="welcome-photo" />}
      {photo && (
        <p className="welcome-ready">
          <CircleCheck size={20} className="ok" aria-hidden="true" />
          <span>
            <strong>Photo ready</strong> <span className="quiet">{sizeOf(photo)}</span>
          </span>
        </p>
      )}
      {upload.share !== undefined && (
        <label className="welcome-progressing">
          <span>Sending, {Math.round(upload.share * 100)} %</span>
          <progress value={upload.share} />
        </label>
      )}
      {upload.refused !== undefined && (
        <p className="welcome-refused" role="alert">
          <TriangleAlert size={16} aria-hidden="true" /> {upload.refused}
        </p>
      )}
      <PhotoButton isFirst={!shown} onChoose={upload.send} />
    </WelcomeFrame>
  );
}

interface PhotoButtonProps {
  readonly isFirst: boolean;
  readonly onChoose: (file: File) => void;
}

function PhotoButton({ isFirst, onChoose }: PhotoButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Photo"
        accept={UPLOAD_TYPES.join(",")}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
          target.value = "";
        }}
      />
      <Button className={isFirst ? "welcome-choose" : ""} onClick={() => input.current?.click()}>
        <ImagePlus size={20} aria-hidden="true" /> {isFirst ? "Choose a photo" : "Change"}
      </Button>
    </>
  );
}

/** Sends a file: how far it is, and why it was refused. */
function useUpload(onUploaded: (upload: Upload) => void) {
  const [share, setShare] = useState<number>();
  const [refused, setRefused] = useState<string>();
  const send = async (file: File) => {
    setRefused(wrongWith(file));
    if (wrongWith(file)) return;
    setShare(0);
    try {
      onUploaded(await uploadFile(file, { onProgress: setShare }));
    } catch (error) {
      setRefused(failureWords(error, "The photo couldn't be sent. Check your connection."));
    } finally {
      setShare(undefined);
    }
  };
  return { share, refused, send: (file: File) => void send(file) };
}

function sizeOf({ size, width, height }: Upload): string {
  return `${width} × ${height}, ${Math.round(size / 1024)} KB`;
}
