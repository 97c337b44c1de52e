/** A notice that the site was upgraded while this dashboard was open. */
import { Button } from "../../ui/Button.tsx";
import { reloadIfReachable, useIsOutdated } from "../data/version.ts";

/** Never reloads by itself, since the old dashboard can still save. */
export function NewVersionNotice() {
  const isOutdated = useIsOutdated();
  return (
    <output>
      {isOutdated && (
        <span className="quiet pad row cluster gap-12 justify-between">
          <span>
            <strong>A new version is available.</strong> Reload to use it; your changes are kept.
          </span>
          <Button size="small" onClick={() => void reloadIfReachable()}>
            Reload
          </Button>
        </span>
      )}
    </output>
  );
}
