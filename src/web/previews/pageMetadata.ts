/** Titles and descriptions of pages, for the dashboard, which never imports the site. */
export { coachingMetadata, homeMetadata } from "../site/head.ts";
