/** The page of a one-time link, or a message that the link no longer works. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/people/accounts.ts";
import { callApi, CallError } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { LoadError, Loading } from "../../ui/AsyncContent.tsx";
import { StandalonePage } from "./StandalonePage.tsx";

/**
 * Returns the token from the URL's fragment, which browsers don't send to servers. Null without a token. The state
 * keeps the token, since navigating to the next page removes the fragment before this page disappears.
 */
export function useLinkToken(): string | null {
  const { pathname, hash } = useLocation();
  const [initialPathname] = useState(pathname);
  const [token, setToken] = useState(() => parseToken(hash));
  // `pathname` changes when the user leaves this page. Then the token is kept.
  if (pathname === initialPathname && parseToken(hash) !== token) setToken(parseToken(hash));
  return token;
}

const parseToken = (hash: string) => new URLSearchParams(hash).get("token");

interface OneTimeLinkProps<T> {
  readonly token: string;
  /** The path of the call that returns what the token is for. It fails with 404 if the token no longer works. */
  readonly path: string;
  readonly title: string;
  readonly children: (data: T) => ReactNode;
}

/** `<OneTimeLink<Invitation> token={token} path="/api/join/invitation" title="Join">{(data) => …}</OneTimeLink>` */
export function OneTimeLink<T>({ token, path, title, children }: OneTimeLinkProps<T>) {
  const { data, error, refetch } = useQuery({
    queryKey: [path, token],
    queryFn: () => callApi<T>(path, { method: "POST", body: { token } }),
  });
  if (error instanceof CallError && error.status === 404)
    return (
      <StandalonePage title="This link no longer works" note={error.message}>
        <a className="ui-button" data-variant="neutral" href="/admin/login">
          Go to login
        </a>
      </StandalonePage>
    );
  if (error)
    return (
      <StandalonePage title={title} note={isServerRefusal(error) ? error.message : ""}>
        {isServerRefusal(error) ? (
          <Button onClick={() => void refetch()}>Retry</Button>
        ) : (
          <LoadError subject="this page" onRetry={() => void refetch()} />
        )}
      </StandalonePage>
    );
  return data ? children(data) : <Loading message="Loading..." rows={0} />;
}

export const NewPasswordField = (props: { readonly name: string; readonly label: string }) => (
  <PasswordField
    {...props}
    hint={`At least ${MIN_PASSWORD_LENGTH} characters. Three or four random words are easy to remember.`}
    autoComplete="new-password"
  />
);

/** Whether the server refused and gave a reason, such as an unencrypted connection. */
const isServerRefusal = (error: Error): error is CallError =>
  error instanceof CallError && error.status < 500;
