/** The path of the page with the first active form, which many link to. The pages are declared in web/site/pages.ts. */
export const COACHING_PATH = "/coaching";
