/** The three info cards (spec section 2, "Admin dashboard"). */
import type { LucideIcon } from "lucide-react";
import Activity from "lucide-react/icons/activity";
import ShieldCheck from "lucide-react/icons/shield-check";
import User from "lucide-react/icons/user";
import type { ReactNode } from "react";
import type { CurrentUser } from "../../../schema/accounts.ts";
import { capitalised } from "./capitalised.ts";

/** Renders who is logged in, the role and the status. */
export function InfoCards({ user }: { user: CurrentUser }) {
  return (
    <section className="infos" aria-label="Overview">
      <Info icon={User} label="Active User" value={user.username} note={user.email} />
      <Info
        icon={ShieldCheck}
        label="Role"
        value={capitalised(user.role)}
        note="Administrative access"
      />
      <Info
        icon={Activity}
        label="Status"
        value={
          <>
            <span className="dot" data-tone="ok" />
            <span>Active</span>
          </>
        }
        note="System operational"
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

function Info({ icon: Icon, label, value, note }: InfoProps) {
  return (
    <div className="info">
      <Icon size={16} aria-hidden="true" />
      <div>
        <span className="info-label">{label}</span>
        <span className="info-value">{value}</span>
        <span className="info-note">{note}</span>
      </div>
    </div>
  );
}
