/** A placeholder for the login page until its code is loaded. */
import { useLocation } from "@tanstack/react-router";
import { StagePage } from "./Stage.tsx";

const LOGIN_PATH_PATTERN = /^\/admin(?:\/login)?\/?$/i;

/** Has the login's layout, so that nothing shifts when the login appears. */
export function AdminPending() {
  const { pathname } = useLocation();
  if (!LOGIN_PATH_PATTERN.test(pathname)) return null;
  return (
    <div className="admin" aria-hidden="true" inert>
      <StagePage
        title="Welcome back"
        note="Log in to edit your site."
        foot={<span className="stage-back row gap-4 small quiet">Back to site</span>}
      >
        <div className="fields">
          <LoginOutline label="Username or email" />
          <LoginOutline label="Password" />
          <button type="button" className="ui-button" data-variant="primary" disabled>
            Login
          </button>
        </div>
      </StagePage>
    </div>
  );
}

function LoginOutline({ label }: { label: string }) {
  return (
    <div className="field">
      <div className="field-head justify-between">
        <span className="field-label">{label}</span>
      </div>
      <input disabled />
    </div>
  );
}
