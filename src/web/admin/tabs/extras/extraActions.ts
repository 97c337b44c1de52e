/** Adds and removes extras. A removed extra's content is kept. */
import { useNavigate } from "@tanstack/react-router";
import { entities } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import { queryClient } from "../../data/client.ts";
import { setLastAddedExtra } from "../../data/useEnabledExtras.ts";
import { createEntityQuery } from "../../data/useEntity.ts";
import { saveEntity, runWithToast } from "../../data/entityWrites.ts";
import { announce, toastFailure } from "../../../ui/messages.ts";

/** The cached list of extras may be outdated, so the list is loaded again. */
const refetchExtras = () =>
  queryClient.fetchQuery({ ...createEntityQuery("extras"), staleTime: 0 });

async function setExtraEnabled(key: string, isEnabled: boolean): Promise<true> {
  const { value, etag } = await refetchExtras();
  const others = value.on.filter((each) => each !== key);
  await saveEntity("extras", { on: isEnabled ? [...others, key] : others }, etag);
  await refetchExtras();
  return true;
}

export const createAddedMessage = (label: string) =>
  `${label} added to your dashboard. Visitors see the section once it has something to show.`;

export interface ExtraIdentity {
  readonly key: string;
  readonly label: string;
}

/** Adds and removes an extra. After `add`, the new tab offers Undo in its head, since a toast would cover its form. */
export function useExtraActions({ key, label }: ExtraIdentity) {
  const navigate = useNavigate();
  const openTab = (tab: string) => void navigate({ to: "/admin/dashboard", search: { tab } });
  const { failure } = getWriteMessages(entities.extras, "save");
  async function add(): Promise<void> {
    try {
      await setExtraEnabled(key, true);
    } catch (error) {
      toastFailure(error, failure);
      return;
    }
    setLastAddedExtra(key);
    announce(createAddedMessage(label));
    openTab(key);
  }
  async function remove(): Promise<void> {
    const success = `${label} was removed from your site. Your content is kept.`;
    const isRemoved = await runWithToast(
      { success, failure },
      () => setExtraEnabled(key, false),
      () => void add(),
    );
    if (isRemoved) openTab("add");
  }
  return { open: () => openTab(key), add, remove };
}
