/** The error page of the dashboard: its code failed to load or render. */
import { reloadIfReachable } from "../../shared/reachable.ts";
import { StagePage } from "./Stage.tsx";

export function AdminError() {
  return (
    <div className="admin">
      <StagePage
        title="Couldn't load this page"
        note="Check your connection, then try again. Your changes are saved on this device."
      >
        <button
          type="button"
          className="ui-button"
          data-variant="primary"
          onClick={() => void reloadIfReachable()}
        >
          Retry
        </button>
      </StagePage>
    </div>
  );
}
