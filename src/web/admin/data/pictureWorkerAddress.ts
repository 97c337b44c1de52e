/** Where the worker of pictureWorker.ts is: the build puts its address in place of this module. */
export const PICTURE_WORKER: string | undefined = undefined;
