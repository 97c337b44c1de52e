/** What the server tells the owner unasked, above everything else while it holds. */
import { resource, useResource } from "../data/resource.ts";
import type { UnseenLogin } from "../data/session.ts";
import { lazyPart } from "../parts/LazyPart.tsx";
import type { Notice, NoticeLinesProps } from "./NoticeLines.tsx";

const Lines = lazyPart<NoticeLinesProps>({
  what: "the notices",
  code: async () => (await import("./NoticeLines.tsx")).NoticeLines,
  waiting: null,
  // Nobody waits for them.
  frame: () => null,
});

const allNotices = resource<Notice[]>("/api/notices", { stays: true });
const unseenLogins = resource<UnseenLogin[]>("/api/auth/logins", { stays: true });

/** What is amiss with the site is for its owners; logins from elsewhere are for everybody. */
export function Notices({ isOwner }: { isOwner: boolean }) {
  const { value: notices = [] } = useResource(allNotices, { enabled: isOwner });
  const { value: logins = [] } = useResource(unseenLogins);
  const isAny = notices.length > 0 || logins.length > 0;
  return (
    <output className="notices">{isAny && <Lines notices={notices} logins={logins} />}</output>
  );
}
