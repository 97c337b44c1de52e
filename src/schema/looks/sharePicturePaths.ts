/** The paths of drawn share pictures, for pages whose owner chose none, by the page's path. */
import { COACHING_PATH } from "../sections/pagePaths.ts";
export const SHARE_PICTURE_PATHS = {
  "/": "/share-home.jpg",
  [COACHING_PATH]: "/share-coaching.jpg",
} as const;

/** In pixels, the size that messengers and search engines expect. */
export const SHARE_PICTURE_SIZE_PX = { width: 1200, height: 630 } as const;
