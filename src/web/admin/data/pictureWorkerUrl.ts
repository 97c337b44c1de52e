/** The URL of pictureWorker.ts: the build replaces this module. */
export const PICTURE_WORKER_URL: string | undefined = undefined;
