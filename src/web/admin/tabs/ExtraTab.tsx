/** The tab of an extra that was declared and nothing more. */
import { ExtraHead } from "./extras/ExtraHead.tsx";
import { SectionTab } from "./SectionTab.tsx";
import type { Tab } from "./tabs.ts";

export const ExtraTab = ({ tab }: { tab: Tab }) => <SectionTab tab={tab} Head={ExtraHead} />;
