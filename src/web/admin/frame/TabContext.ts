/** Which tab a component stands in: drafts put their amber dot there. */
import { createContext } from "react";

/** The key of the tab. */
export const TabContext = createContext("");
