/** Titles and descriptions of pages for the dashboard, which imports the site only through this folder. */
export { createCoachingMetadata, createHomeMetadata } from "../site/pageMetadata.ts";
