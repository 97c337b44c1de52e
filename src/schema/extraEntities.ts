/** What extras are made of: the dashboard gets to know it with the code of their tabs (see src/build/leftOut.ts). */
import { announcement } from "./announcement.ts";
import { events, eventSettings } from "./events.ts";
import { extras } from "./extrasOn.ts";
import { videos, videoSettings } from "./videos.ts";

export const extraEntities = { extras, videos, videoSettings, events, eventSettings, announcement };
