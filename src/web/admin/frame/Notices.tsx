/** The notices above the dashboard: those from the server, and one about a new version. */
import { createApiQuery, useApiQuery } from "../data/apiQuery.ts";
import type { UnseenLogin } from "../data/session.ts";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import type { Notice, NoticeLinesProps } from "./NoticeLines.tsx";
import { Button } from "../../ui/Button.tsx";
import { reloadIfReachable, useIsOutdated } from "../data/version.ts";

const LazyNoticeLines = createLazyComponent<NoticeLinesProps>({
  subject: "the notices",
  loadCode: async () => (await import("./NoticeLines.tsx")).NoticeLines,
  placeholder: null,
  // If this code fails to load, no notices are shown.
  wrapError: () => null,
});

const noticesQuery = createApiQuery<Notice[]>("/api/notices", { isCached: true });
const unseenLoginsQuery = createApiQuery<UnseenLogin[]>("/api/auth/logins", { isCached: true });

export function Notices({ isOwner }: { isOwner: boolean }) {
  const { value: notices = [] } = useApiQuery(noticesQuery, { enabled: isOwner });
  const { value: logins = [] } = useApiQuery(unseenLoginsQuery);
  const hasAny = notices.length > 0 || logins.length > 0;
  return (
    <output className="notices">
      {hasAny && <LazyNoticeLines notices={notices} logins={logins} />}
    </output>
  );
}

/** The page isn't reloaded automatically, since the old version can still save changes. */
export function NewVersionNotice() {
  const isOutdated = useIsOutdated();
  return (
    <output>
      {isOutdated && (
        <span className="quiet pad row cluster gap-12 justify-between">
          <span>
            <strong>A new version is available.</strong> Reload to use it; your changes are kept.
          </span>
          <Button size="small" onClick={() => void reloadIfReachable()}>
            Reload
          </Button>
        </span>
      )}
    </output>
  );
}
