/** What single tabs add to the dashboard's style sheet; import it for its effect. */
import "../editor/rowStyles.ts";
import { adoptStyles } from "../parts/adoptStyles.ts";
import tabsCss from "../styles/tabs.css" with { type: "text" };

adoptStyles(tabsCss);
