/** The usual imports of a server test: a site in this process, its clients, and a way to wait. */
export { type TestResponse, Client, type Method, formatRefusal } from "./client.ts";
export { type Caller, OWNER, createOwnerCaller as ownerOf } from "./site.ts";
export { setUpSiteForAll, setUpSiteForEach } from "./setUpSite.ts";
export { type Site, startSite } from "./startSite.ts";
export { waitForValue } from "./waits.ts";
