/** Shown until the code of an owner's screen is loaded: an inactive login page. */
import { useLocation } from "@tanstack/react-router";
import { Stage } from "./Stage.tsx";

const LOGIN = /^\/admin(?:\/login)?\/?$/i;

/** The login's outline, so that nothing shifts when the login itself appears. */
export function AdminPending() {
  const { pathname } = useLocation();
  if (!LOGIN.test(pathname)) return null;
  return (
    <div className="admin" aria-hidden="true" inert>
      <Stage
        title="Welcome back"
        note="Log in to edit your site."
        foot={<span className="stage-back row gap-4 small quiet">Back to site</span>}
      >
        <div className="fields">
          <Outline label="Username or email" />
          <Outline label="Password" />
          <button type="button" className="ui-button" data-variant="primary" disabled>
            Login
          </button>
        </div>
      </Stage>
    </div>
  );
}

function Outline({ label }: { label: string }) {
  return (
    <div className="field">
      <div className="field-head justify-between">
        <span className="field-label">{label}</span>
      </div>
      <input disabled />
    </div>
  );
}
