/** What keeps the account the owner's own: passkeys, authenticator app, recovery codes, where it is logged in. */
import { useSecurity } from "../data/security.ts";
import { useSheet } from "../parts/useSheet.ts";
import { LoadFailed, Loading } from "../parts/WhenRead.tsx";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";
import css from "./Security.css" with { type: "text" };
import { Sessions } from "./Sessions.tsx";

export function Security() {
  useSheet(css);
  const { data, error, refetch } = useSecurity();
  if (!data && error) return <LoadFailed what="this" onRetry={() => void refetch()} />;
  if (!data) return <Loading words="Loading..." rows={4} />;
  return (
    <>
      <Passkeys state={data} />
      <Authenticator state={data} />
      <Sessions />
    </>
  );
}
