/** Where the pictures are that are drawn for shared links to a page without one of its owner's, by the page's path. */
export const DRAWN_PICTURES = {
  "/": "/share-home.jpg",
  "/coaching": "/share-coaching.jpg",
} as const;

/** Their sides, in pixels: what messengers and search engines ask for. */
export const DRAWN_SIZE = { width: 1200, height: 630 } as const;
