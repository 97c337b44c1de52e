/** Adds an extra to the site, and removes it; its content stays either way. */
import { useNavigate } from "@tanstack/react-router";
import { entities } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/messages.ts";
import { queryClient } from "../../data/client.ts";
import { entityQuery } from "../../data/useEntity.ts";
import { saveEntity, withToast } from "../../data/writes.ts";

/** Nothing may have loaded the list before the first extra. */
const readNow = () => queryClient.fetchQuery({ ...entityQuery("extras"), staleTime: 0 });

async function switchExtra(key: string, isOn: boolean): Promise<true> {
  const { value, etag } = await readNow();
  const others = value.on.filter((each) => each !== key);
  await saveEntity("extras", { on: isOn ? [...others, key] : others }, etag);
  await readNow();
  return true;
}

export interface Switched {
  readonly key: string;
  readonly label: string;
}

/** `add` opens the new tab, `takeAway` the gallery; both show a toast with Undo. Neither rejects. */
export function useSwitch({ key, label }: Switched) {
  const navigate = useNavigate();
  const open = (tab: string) => void navigate({ to: "/admin/dashboard", search: { tab } });
  const { failure } = messagesFor(entities.extras, "save");
  async function turn(isOn: boolean): Promise<void> {
    const success = isOn
      ? `${label} is in your dashboard. Visitors see it once it has something to show.`
      : `${label} is off your site. What you wrote is kept.`;
    const back = () => void turn(!isOn);
    const done = await withToast({ success, failure }, () => switchExtra(key, isOn), back);
    if (done) open(isOn ? key : "add");
  }
  return { open: () => open(key), add: () => turn(true), takeAway: () => turn(false) };
}
