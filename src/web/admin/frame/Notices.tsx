/** What the server tells the owner unasked, above everything else while it holds. */
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api.ts";
import { withSession } from "../data/client.ts";
import { type UnseenLogin, UNSEEN_LOGINS } from "../data/session.ts";
import { lazyPart } from "../parts/LazyPart.tsx";
import type { Notice, NoticeLinesProps } from "./NoticeLines.tsx";

const Lines = lazyPart<NoticeLinesProps>({
  what: "the notices",
  code: async () => (await import("./NoticeLines.tsx")).NoticeLines,
  waiting: null,
  // Nobody waits for them.
  frame: () => null,
});

/** What is amiss with the site is for its owners; logins from elsewhere are for everybody. */
export function Notices({ isOwner }: { isOwner: boolean }) {
  const { data: notices = [] } = useQuery({
    queryKey: ["notices"],
    enabled: isOwner,
    queryFn: () => withSession(() => call<Notice[]>("/api/notices")),
  });
  const { data: logins = [] } = useQuery({
    queryKey: UNSEEN_LOGINS,
    queryFn: () => withSession(() => call<UnseenLogin[]>("/api/auth/logins")),
  });
  const isAny = notices.length > 0 || logins.length > 0;
  return (
    <output className="notices">{isAny && <Lines notices={notices} logins={logins} />}</output>
  );
}
