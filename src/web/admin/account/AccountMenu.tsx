/** What stands in the account menu: who is logged in, the screens, the ways out. */
import { Link } from "@tanstack/react-router";
import Download from "lucide-react/icons/download";
import ExternalLink from "lucide-react/icons/external-link";
import SunMoon from "lucide-react/icons/sun-moon";
import { Fragment, useState } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { mayDo } from "../../../schema/roles.ts";
import { toastFailure } from "../../ui/messages.ts";
import { downloadProved } from "../data/proof.ts";
import { chooseScheme, chosenScheme, type Scheme } from "../data/scheme.ts";
import { Badge } from "../parts/Card.tsx";
import { useSheet } from "../parts/useSheet.ts";
import css from "./AccountMenu.css" with { type: "text" };
import { screensOf } from "./screens.ts";

/** `onChoose` closes the menu. */
export interface AccountMenuProps {
  readonly user: CurrentUser;
  readonly role: string;
  readonly onChoose: () => void;
}

export function AccountMenu({ user, role, onChoose }: AccountMenuProps) {
  useSheet(css);
  const screens = screensOf(user.role);
  return (
    <>
      <p className="menu-user">
        <span className="menu-mark" aria-hidden="true">
          {user.username.slice(0, 2).toUpperCase()}
        </span>
        <strong>{user.username}</strong> <Badge>{role}</Badge>
        <span className="quiet">{user.email}</span>
      </p>
      {screens.map(({ key, label, group, icon: Icon, Screen, Note, Gate = Fragment }, at) => (
        <Gate key={key}>
          {group !== screens[at - 1]?.group && <hr />}
          <Link
            to="/admin/dashboard"
            search={({ tab }) => ({ ...(tab && { tab }), account: key })}
            resetScroll={false}
            onClick={onChoose}
            onPointerEnter={() => void Screen.load()}
          >
            <Icon size={16} aria-hidden="true" /> <span>{label}</span>
            {Note && <Note />}
          </Link>
        </Gate>
      ))}
      <hr />
      <SchemeChoice />
      <a href="/" target="_blank" rel="noopener" className="menu-view-site">
        <ExternalLink size={16} aria-hidden="true" /> <span>View site</span>
      </a>
      {mayDo(user.role, "site") && (
        <button type="button" onClick={() => void exportEverything(onChoose)}>
          <Download size={16} aria-hidden="true" /> <span>Export everything</span>
        </button>
      )}
    </>
  );
}

const SCHEMES: Readonly<Record<Scheme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};

/** How the dashboard looks on this device. */
function SchemeChoice() {
  const [chosen, setChosen] = useState(chosenScheme);
  const choose = (scheme: Scheme) => {
    chooseScheme(scheme);
    setChosen(scheme);
  };
  return (
    <div className="menu-scheme">
      <SunMoon size={16} aria-hidden="true" />
      <fieldset className="segments" aria-label="Appearance">
        {(Object.keys(SCHEMES) as Scheme[]).map((scheme) => (
          <button
            key={scheme}
            type="button"
            aria-pressed={scheme === chosen}
            onClick={() => choose(scheme)}
          >
            {SCHEMES[scheme]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

async function exportEverything(onChoose: () => void): Promise<void> {
  onChoose();
  try {
    await downloadProved("/api/export");
  } catch (error) {
    toastFailure(error, "Failed to export everything");
  }
}
