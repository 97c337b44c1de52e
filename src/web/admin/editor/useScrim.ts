/**
 * The scrim between a hero's text and its photo, for previews and contrast checks. Its code is loaded with the first
 * photo.
 */
import { useEffect, useMemo, useState } from "react";
import { findTitlesOverPhoto } from "../../../schema/sections/coachingDefaults.ts";
import type { Content } from "../../../schema/index.ts";
import { computeTopEdgeGray } from "../../../schema/sections/heroPortrait.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import type { PageContent } from "../../shared/content.ts";
import { createPictures, type Upload, useUploads } from "../data/uploads.ts";

type ScrimCode = typeof import("../../../schema/looks/scrim.ts");

/** Undefined until the code is loaded. Previews show the default scrim meanwhile. */
export function useScrimCode(isWanted: boolean): ScrimCode | undefined {
  const [code, setCode] = useState<ScrimCode>();
  useEffect(() => {
    if (isWanted) import("../../../schema/looks/scrim.ts").then(setCode, () => undefined);
  }, [isWanted]);
  return isWanted ? code : undefined;
}

/** Returns pictures as pages show them: the photos of heroes have the scrim that `styles` require. */
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `dependencyKey` covers them
    [code, dependencyKey],
  );
  return { ...createPictures(files), ...createPictures(photosWithScrim as Upload[]) };
}
