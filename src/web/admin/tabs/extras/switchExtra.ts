/** Adds an extra to the site, and removes it; its content is retained in both cases. */
import { useNavigate } from "@tanstack/react-router";
import { entities } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/entities/messages.ts";
import { queryClient } from "../../data/client.ts";
import { setLastAdded } from "../../data/useExtrasOn.ts";
import { entityQuery } from "../../data/useEntity.ts";
import { saveEntity, withToast } from "../../data/writes.ts";
import { announce, toastFailure } from "../../../ui/messages.ts";

/** Nothing may have loaded the list before the first extra. */
const readNow = () => queryClient.fetchQuery({ ...entityQuery("extras"), staleTime: 0 });

async function switchExtra(key: string, isOn: boolean): Promise<true> {
  const { value, etag } = await readNow();
  const others = value.on.filter((each) => each !== key);
  await saveEntity("extras", { on: isOn ? [...others, key] : others }, etag);
  await readNow();
  return true;
}

export const addedMessage = (label: string) =>
  `${label} added to your dashboard. Visitors see the section once it has something to show.`;

export interface Switched {
  readonly key: string;
  readonly label: string;
}

/**
 * `add` opens the new tab, whose head confirms it with Undo: a toast would cover its form. `takeAway` opens the
 * gallery and shows a toast with Undo. Neither rejects.
 */
export function useSwitch({ key, label }: Switched) {
  const navigate = useNavigate();
  const open = (tab: string) => void navigate({ to: "/admin/dashboard", search: { tab } });
  const { failure } = messagesFor(entities.extras, "save");
  async function add(): Promise<void> {
    try {
      await switchExtra(key, true);
    } catch (error) {
      toastFailure(error, failure);
      return;
    }
    setLastAdded(key);
    announce(addedMessage(label));
    open(key);
  }
  async function remove(): Promise<void> {
    const success = `${label} was removed from your site. Your content is kept.`;
    const messages = { success, failure };
    if (
      await withToast(
        messages,
        () => switchExtra(key, false),
        () => void add(),
      )
    )
      open("add");
  }
  return { open: () => open(key), add, takeAway: remove };
}
