/** The content of the account menu: the user, the screens, the color scheme, the data export. */
import { Avatar } from "../../ui/Row.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { Link } from "@tanstack/react-router";
import Download from "lucide-react/icons/download";
import ExternalLink from "lucide-react/icons/external-link";
import SunMoon from "lucide-react/icons/sun-moon";
import { Fragment, useState } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { hasPermission } from "../../../schema/core/roles.ts";
import { useAction } from "../../ui/useAction.ts";
import { downloadAfterConfirming } from "../data/confirmedDownload.ts";
import { chooseScheme, readChosenScheme, type Scheme } from "../data/colorScheme.ts";
import { Badge } from "../parts/Card.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./AccountMenu.css" with { type: "text" };
import { findScreensForRole } from "./screens.ts";

export interface AccountMenuProps {
  readonly user: CurrentUser;
  readonly roleLabel: string;
  readonly onChoose: () => void;
}

export function AccountMenu({ user, roleLabel, onChoose }: AccountMenuProps) {
  useStylesheet(css);
  const screens = findScreensForRole(user.role);
  const [, exportEverything] = useAction(
    async () => {
      onChoose();
      await downloadAfterConfirming("/api/export");
    },
    { failure: "Couldn't export the data" },
  );
  return (
    <>
      <p className="menu-user">
        <Avatar name={user.username} />
        <strong>{user.username}</strong> <Badge>{roleLabel}</Badge>
        <span className="quiet">{user.email}</span>
      </p>
      {screens.map(({ key, label, group, icon: Icon, Screen, Note, Gate = Fragment }, index) => (
        <Gate key={key}>
          {group !== screens[index - 1]?.group && <hr />}
          <Link
            className="menu-item"
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
      <a href="/" target="_blank" rel="noopener" className="menu-item phone-only">
        <ExternalLink size={16} aria-hidden="true" /> <span>View site</span>
      </a>
      {hasPermission(user.role, "site") && (
        <button type="button" className="menu-item full-width" onClick={exportEverything}>
          <Download size={16} aria-hidden="true" /> <span>Export all data</span>
        </button>
      )}
    </>
  );
}

const SCHEME_CHOICES: readonly { readonly value: Scheme; readonly label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

function SchemeChoice() {
  const [chosenScheme, setChosenScheme] = useState(readChosenScheme);
  const choose = (scheme: Scheme) => {
    chooseScheme(scheme);
    setChosenScheme(scheme);
  };
  return (
    <div className="menu-scheme row">
      <SunMoon size={16} className="quiet" aria-hidden="true" />
      <SegmentedControl
        label="Appearance"
        options={SCHEME_CHOICES}
        value={chosenScheme}
        onChoose={choose}
      />
    </div>
  );
}
