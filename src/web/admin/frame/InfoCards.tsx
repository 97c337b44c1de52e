/** The three cards above every tab: user, role and status. */
import type { LucideIcon } from "lucide-react";
import Activity from "lucide-react/icons/activity";
import ChevronDown from "lucide-react/icons/chevron-down";
import ShieldCheck from "lucide-react/icons/shield-check";
import User from "lucide-react/icons/user";
import { type ReactNode, useState } from "react";
import type { CurrentUser } from "../../../schema/people/accounts.ts";
import { hasPermission } from "../../../schema/core/roles.ts";
import { capitalize } from "./Header.tsx";

/** Folded into one line on phones. */
export function InfoCards({ user }: { user: CurrentUser }) {
  const [folded, setFolded] = useState(true);
  return (
    <section className="infos" aria-label="Overview" data-folded={folded || undefined}>
      <button
        type="button"
        className="infos-line card row small phone-only"
        aria-expanded={!folded}
        onClick={() => setFolded(!folded)}
      >
        <span className="dot" data-tone="ok" />
        <strong className="truncate">{user.username}</strong>
        <span className="quiet">{capitalize(user.role)} · Active</span>
        <ChevronDown className="ms-auto quiet" size={16} aria-hidden="true" />
      </button>
      <InfoCard icon={User} label="Active User" value={user.username} note={user.email} />
      <InfoCard
        icon={ShieldCheck}
        label="Role"
        value={capitalize(user.role)}
        note={hasPermission(user.role, "site") ? "Administrative access" : "Limited access"}
      />
      <InfoCard
        icon={Activity}
        label="Status"
        value={
          <>
            <span className="dot" data-tone="ok" />
            <span>Active</span>
          </>
        }
        note="System operational: your site is online"
      />
    </section>
  );
}

interface InfoProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly value: ReactNode;
  readonly note: string;
}

function InfoCard({ icon: Icon, label, value, note }: InfoProps) {
  return (
    <div className="info card row gap-12">
      <Icon size={16} className="faint" aria-hidden="true" />
      <div className="meta">
        <span className="quiet note full-width">{label}</span>
        <span className="row medium">{value}</span>
        <span className="quiet small">{note}</span>
      </div>
    </div>
  );
}
