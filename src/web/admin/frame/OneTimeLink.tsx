/** The page behind a one-time link: its purpose, or a message that it is dead. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { MIN_PASSWORD_LENGTH } from "../../../schema/people/accounts.ts";
import { call, CallFailed } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { PasswordField } from "../../ui/Field.tsx";
import { LoadFailed, Loading } from "../../ui/Read.tsx";
import { Stage } from "./Stage.tsx";

/**
 * The token in the URL's fragment, which browsers don't send; null without one. It remains after the fragment is
 * removed: during navigation to the next page this one is rendered again, at the address of that page.
 */
export function useLinkToken(): string | null {
  const { pathname, hash } = useLocation();
  const [page] = useState(pathname);
  const [token, setToken] = useState(() => tokenIn(hash));
  // The location changes before the page does: during navigation to another page the link is unchanged.
  if (pathname === page && tokenIn(hash) !== token) setToken(tokenIn(hash));
  return token;
}

const tokenIn = (hash: string) => new URLSearchParams(hash).get("token");

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
    queryFn: () => call<T>(path, { method: "POST", body: { token } }),
  });
  if (error instanceof CallFailed && error.status === 404)
    return (
      <Stage title="This link no longer works" note={error.message}>
        <a className="ui-button" data-variant="neutral" href="/admin/login">
          Go to login
        </a>
      </Stage>
    );
  if (error)
    return (
      <Stage title={title} note={isRefused(error) ? error.message : ""}>
        {isRefused(error) ? (
          <Button onClick={() => void refetch()}>Retry</Button>
        ) : (
          <LoadFailed subject="this page" onRetry={() => void refetch()} />
        )}
      </Stage>
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
const isRefused = (error: Error): error is CallFailed =>
  error instanceof CallFailed && error.status < 500;
