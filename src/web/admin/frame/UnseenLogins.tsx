/** Logins to the own account from other browsers, until their person has said that it was them. */
import { useNavigate } from "@tanstack/react-router";
import Info from "lucide-react/icons/info";
import { Button } from "../../ui/Button.tsx";
import { api } from "../data/client.ts";
import { readAgain } from "../data/resource.ts";
import { toastFailure, toastSuccess } from "../../ui/messages.ts";
import type { UnseenLogin } from "../data/session.ts";
import { usePending } from "../data/usePending.ts";
import { whenInside } from "../parts/when.ts";

const MOST_NAMED = 3;

export function UnseenLogins({ logins }: { logins: readonly UnseenLogin[] }) {
  const [pending, run] = usePending();
  const navigate = useNavigate();
  const notMine = async () => {
    try {
      await api.delete("/api/auth/sessions");
      await seen();
      toastSuccess("Everybody else is logged out. Now choose a new password.");
      await readAgain("/api/auth/sessions");
      await navigate({ to: "/admin/dashboard", search: { account: "password" } });
    } catch (error) {
      toastFailure(error, FAILED);
    }
  };
  return (
    <span className="notice" data-tone="news">
      <Info size={16} aria-hidden="true" />
      <span>
        {logins.length === 1 ? "1 login" : `${logins.length} logins`} since your last one:{" "}
        {logins.slice(0, MOST_NAMED).map((login, at) => (
          <span key={login.id}>
            {at > 0 && "; "}
            <strong>{login.browser ?? "Unknown browser"}</strong>
            {login.address && ` from ${login.address}`}, {whenInside(login.at)}
          </span>
        ))}
        {logins.length > MOST_NAMED && ` and ${logins.length - MOST_NAMED} more`}
      </span>
      <span className="notice-ways">
        <Button size="small" pending={pending} onClick={() => void run(mine)}>
          It was me
        </Button>
        <Button size="small" variant="quiet" pending={pending} onClick={() => void run(notMine)}>
          It wasn't
        </Button>
      </span>
    </span>
  );
}

const mine = () => seen().catch((error: unknown) => toastFailure(error, FAILED));

async function seen(): Promise<void> {
  await api.post("/api/auth/logins/seen");
  await readAgain("/api/auth/logins");
}

const FAILED = "That couldn't be saved. Try again.";
