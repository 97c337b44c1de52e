/** The tab of an extra that has only a declaration. */
import { ExtraHead } from "./extras/ExtraHead.tsx";
import { SectionTab } from "./SectionTab.tsx";
import type { Tab } from "./tabs.ts";

export const ExtraTab = ({ tab }: { tab: Tab }) => <SectionTab tab={tab} Head={ExtraHead} />;
