/** The styles of ordered rows, which come with the first list; import it for its effect. */
import { adoptStyles } from "../parts/adoptStyles.ts";
import rowsCss from "../styles/rows.css" with { type: "text" };

adoptStyles(rowsCss);
