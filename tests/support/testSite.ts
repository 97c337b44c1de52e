/** The setup of nearly every test of the server: a site in this process, its callers, and a function to wait. */
export { type Answer, Client, type Method, formatRefusal as said } from "./client.ts";
export { type Caller, OWNER, ownerOf } from "./site.ts";
export { siteForAll, siteForEach } from "./siteForAll.ts";
export { type Site, startSite } from "./startSite.ts";
export { eventually } from "./waits.ts";
