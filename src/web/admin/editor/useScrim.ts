/** The scrim, the shade between a hero's photo and its text, for previews and contrast checks. */
import { useEffect, useMemo, useState } from "react";
import { findTitlesOverPhoto } from "../../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../../schema/index.ts";
import { computeTopEdgeGray } from "../../../schema/sections/heroPortrait.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import type { PageContent } from "../../shared/content.ts";
import { createPictures, type Upload, useUploads } from "../data/uploads.ts";

type ScrimCode = typeof import("../../../schema/looks/scrim.ts");

/** Returns the code that computes scrims, which is loaded with the first photo. Undefined until then. */
export function useScrimCode(isWanted: boolean): ScrimCode | undefined {
  const [code, setCode] = useState<ScrimCode>();
  useEffect(() => {
    if (isWanted) import("../../../schema/looks/scrim.ts").then(setCode, () => undefined);
  }, [isWanted]);
  return isWanted ? code : undefined;
}

/** Returns all pictures as pages show them, with the scrims for these `styles`. */
export function useScrimmedPictures(content: PageContent, styles: Content<"styles">): Pictures {
  const { files = [] } = useUploads();
  const heroPhotos = files.filter(({ url }) => findTitlesOverPhoto(url, content).length > 0);
  const code = useScrimCode(heroPhotos.length > 0);
  const findTitles = ({ url }: Upload) => findTitlesOverPhoto(url, content);
  const dependencyKey = JSON.stringify([
    heroPhotos.map((file) => [file.url, file.focus, file.cuts, findTitles(file)]),
    styles,
  ]);
  const photosWithScrim = useMemo(
    () =>
      heroPhotos.map((file) => ({
        ...file,
        rim: computeTopEdgeGray(file.light),
        veil: code?.computeScrimBehindTitles(findTitles(file), file, styles),
      })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `dependencyKey` contains these values.
    [code, dependencyKey],
  );
  return { ...createPictures(files), ...createPictures(photosWithScrim as Upload[]) };
}
