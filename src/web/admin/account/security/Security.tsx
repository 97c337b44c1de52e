/** The account's security: passkeys, authenticator app, recovery codes, sessions. */
import { useSecurity } from "./security.ts";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { Authenticator } from "./Authenticator.tsx";
import { Passkeys } from "./Passkeys.tsx";
import css from "./Security.css" with { type: "text" };
import { Sessions } from "./Sessions.tsx";

export function SecurityPage() {
  useStylesheet(css);
  return (
    <AsyncContent of={useSecurity()} subject="this" loadingMessage="Loading...">
      {(state) => (
        <>
          <Passkeys state={state} />
          <Authenticator state={state} />
          <Sessions />
        </>
      )}
    </AsyncContent>
  );
}
