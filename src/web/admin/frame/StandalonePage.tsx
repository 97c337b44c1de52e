/** The layout of pages outside of the dashboard, such as the login, and of loading and failed pages. */
import ChevronLeft from "lucide-react/icons/chevron-left";
import type { ReactNode } from "react";
import { reloadIfReachable } from "../../shared/api.ts";
import { useLocation } from "@tanstack/react-router";
import { TextField } from "../../ui/Field.tsx";

interface StandalonePageProps {
  readonly title: string;
  readonly note: string;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
}

export function StandalonePage({ title, note, children, footer }: StandalonePageProps) {
  return (
    <main className="stage">
      <BrandLogo />
      <div className="stage-card full-width">
        <h1>{title}</h1>
        <p className="quiet mb-16">{note}</p>
        {children}
      </div>
      {footer}
    </main>
  );
}

/** Phones don't capitalize or correct the input. */
export const UsernameField = (props: UsernameFieldProps) => (
  <TextField {...props} autoComplete="username" autoCapitalize="none" spellCheck={false} />
);

interface UsernameFieldProps {
  readonly name: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export const BackLink = ({ href, label }: { readonly href: string; readonly label: string }) => (
  <a className="stage-back small quiet" href={href}>
    <ChevronLeft size={14} aria-hidden="true" /> {label}
  </a>
);

export function BrandLogo() {
  return (
    <strong className="brand row">
      <svg viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
        <rect width="26" height="26" rx="6" fill="#1d2126" />
        <path d="M12 3h2l5 17H7z" fill="#f1f3f5" opacity=".85" />
        <ellipse cx="13" cy="20.5" rx="9" ry="2.5" fill="#f1f3f5" />
      </svg>
      Limelight
    </strong>
  );
}

/** Shown if a page's code failed to load, or if rendering the page failed. */
export function AdminError() {
  return (
    <div className="admin">
      <StandalonePage
        title="Couldn't load this page"
        note="Try again, and check your connection if that doesn't help. Unsaved changes stay on this device."
      >
        <button
          type="button"
          className="ui-button"
          data-variant="primary"
          onClick={() => void reloadIfReachable()}
        >
          Retry
        </button>
      </StandalonePage>
    </div>
  );
}

const LOGIN_PATH_PATTERN = /^\/admin(?:\/login)?\/?$/i;

/** The placeholder for the login page. It has the same layout, so that nothing moves when the page appears. */
export function AdminPending() {
  const { pathname } = useLocation();
  if (!LOGIN_PATH_PATTERN.test(pathname)) return null;
  return (
    <div className="admin" aria-hidden="true" inert>
      <StandalonePage
        title="Welcome back"
        note="Log in to edit your site."
        footer={<span className="stage-back row gap-4 small quiet">Back to site</span>}
      >
        <div className="fields">
          <LoginFieldPlaceholder label="Username or email" />
          <LoginFieldPlaceholder label="Password" />
          <button type="button" className="ui-button" data-variant="primary" disabled>
            Login
          </button>
        </div>
      </StandalonePage>
    </div>
  );
}

function LoginFieldPlaceholder({ label }: { label: string }) {
  return (
    <div className="field">
      <div className="field-head justify-between">
        <span className="field-label">{label}</span>
      </div>
      <input disabled />
    </div>
  );
}
