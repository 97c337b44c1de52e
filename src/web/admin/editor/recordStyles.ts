/** The styles of lists without end, fetched with the first tab that shows one. */
import { adoptStyles } from "../parts/adoptStyles.ts";
import listsCss from "../styles/lists.css" with { type: "text" };
import submissionsCss from "../styles/submissions.css" with { type: "text" };
import "./rowStyles.ts";

adoptStyles(listsCss + submissionsCss);
