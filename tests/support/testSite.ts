/** The usual imports of a server test: a site in this process, its clients, and a way to wait. */
export { type Answer, Client, type Method, formatRefusal } from "./client.ts";
export { type Caller, OWNER, ownerOf } from "./site.ts";
export { siteForAll, siteForEach } from "./siteForAll.ts";
export { type Site, startSite } from "./startSite.ts";
export { eventually } from "./waits.ts";
