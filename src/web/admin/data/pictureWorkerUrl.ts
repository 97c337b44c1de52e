/** The URL of pictureWorker.ts. The build replaces this module. */
export const PICTURE_WORKER_URL: string | undefined = undefined;
