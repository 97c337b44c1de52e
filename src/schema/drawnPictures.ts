/** The paths of drawn share pictures, for pages whose owner chose none, by the page's path. */
export const DRAWN_PICTURES = {
  "/": "/share-home.jpg",
  "/coaching": "/share-coaching.jpg",
} as const;

/** In pixels, the size that messengers and search engines expect. */
export const DRAWN_SIZE = { width: 1200, height: 630 } as const;
