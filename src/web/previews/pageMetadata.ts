/** Titles and descriptions of pages, for the dashboard, which never imports the site. */
export { createCoachingMetadata, createHomeMetadata } from "../site/pageMetadata.ts";
