/** Server notices for the owner, above everything else while they apply. */
import { resource, useResource } from "../data/resource.ts";
import type { UnseenLogin } from "../data/session.ts";
import { lazyPart } from "../parts/LazyPart.tsx";
import type { Notice, NoticeLinesProps } from "./NoticeLines.tsx";

const Lines = lazyPart<NoticeLinesProps>({
  subject: "the notices",
  code: async () => (await import("./NoticeLines.tsx")).NoticeLines,
  waiting: null,
  // No placeholder.
  frame: () => null,
});

const allNotices = resource<Notice[]>("/api/notices", { isCached: true });
const unseenLogins = resource<UnseenLogin[]>("/api/auth/logins", { isCached: true });

/** Notices about the site are for owners; logins from new browsers for everybody. */
export function Notices({ isOwner }: { isOwner: boolean }) {
  const { value: notices = [] } = useResource(allNotices, { enabled: isOwner });
  const { value: logins = [] } = useResource(unseenLogins);
  const isAny = notices.length > 0 || logins.length > 0;
  return (
    <output className="notices">{isAny && <Lines notices={notices} logins={logins} />}</output>
  );
}
