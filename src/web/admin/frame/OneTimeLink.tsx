/** The page behind a one-time link: its purpose, or a message that it is dead. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/people/accounts.ts";
import { callApi, CallError } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { LoadError, Loading } from "../../ui/AsyncContent.tsx";
import { StagePage } from "./Stage.tsx";

/**
 * The token in the URL's fragment, which browsers don't send; null without one. It remains after the fragment is
 * removed: during navigation to the next page this one is rendered again, at the address of that page.
 */
export function useLinkToken(): string | null {
  const { pathname, hash } = useLocation();
  const [page] = useState(pathname);
  const [token, setToken] = useState(() => parseToken(hash));
  // The location changes before the page does: during navigation to another page the link is unchanged.
  if (pathname === page && parseToken(hash) !== token) setToken(parseToken(hash));
  return token;
}

const parseToken = (hash: string) => new URLSearchParams(hash).get("token");

interface OneTimeLinkProps<T> {
  readonly token: string;
  /** Returns what a token is for; 404 if it no longer works. */
  readonly path: string;
  /** The heading if the request fails. */
  readonly title: string;
  readonly children: (loaded: T) => ReactNode;
}

/** `<OneTimeLink<Invitation> token={token} path="/api/join/invitation" title="Join">{(found) => …}</OneTimeLink>` */
export function OneTimeLink<T>({ token, path, title, children }: OneTimeLinkProps<T>) {
  const { data, error, refetch } = useQuery({
    queryKey: [path, token],
    queryFn: () => callApi<T>(path, { method: "POST", body: { token } }),
  });
  if (error instanceof CallError && error.status === 404)
    return (
      <StagePage title="This link no longer works" note={error.message}>
        <a className="ui-button" data-variant="neutral" href="/admin/login">
          Go to login
        </a>
      </StagePage>
    );
  if (error)
    return (
      <StagePage title={title} note={isServerRefusal(error) ? error.message : ""}>
        {isServerRefusal(error) ? (
          <Button onClick={() => void refetch()}>Retry</Button>
        ) : (
          <LoadError subject="this page" onRetry={() => void refetch()} />
        )}
      </StagePage>
    );
  return data ? children(data) : <Loading message="Loading..." rows={0} />;
}

/** The new password chosen through a link. */
export const NewPasswordField = (field: { readonly name: string; readonly label: string }) => (
  <PasswordField
    {...field}
    hint={`At least ${MIN_PASSWORD_LENGTH} characters. Three or four random words are easy to remember.`}
    autoComplete="new-password"
  />
);

/** The server gives a reason, such as an address without encryption. */
const isServerRefusal = (error: Error): error is CallError =>
  error instanceof CallError && error.status < 500;
