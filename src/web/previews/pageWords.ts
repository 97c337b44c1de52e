/** What pages are called and how they are summed up, for the dashboard, which never imports the site. */
export { coachingWords, homeWords } from "../site/head.ts";
