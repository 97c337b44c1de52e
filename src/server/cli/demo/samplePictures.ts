/** The sample pictures inside the program: file name -> path to read from. */

export const samplePictures: Readonly<Record<string, string>> = {};
