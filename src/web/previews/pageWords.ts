/** Titles and descriptions of pages, for the dashboard, which never imports the site. */
export { coachingWords, homeWords } from "../site/head.ts";
