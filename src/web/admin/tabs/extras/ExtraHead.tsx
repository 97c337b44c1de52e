/** The head of an extra's tab: name, actions, and a message after the extra was added. Phones hide most actions. */
import Ellipsis from "lucide-react/icons/ellipsis";
import Minus from "lucide-react/icons/minus";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { EXTRAS } from "../../../../schema/sections/extras.ts";
import { assertDefined } from "../../../../schema/core/assertDefined.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { TabContext } from "../../data/useDraft.ts";
import { setLastAddedExtra, useLastAddedExtra } from "../../data/useEnabledExtras.ts";
import { useIsWide } from "../../parts/widths.ts";
import { TabHead } from "../../parts/Card.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { ConfirmDialog, useConfirmation } from "../../parts/ConfirmDialog.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./extras.css" with { type: "text" };
import { createAddedMessage, type ExtraIdentity, useExtraActions } from "./extraActions.ts";

interface ExtraHeadProps {
  readonly children?: ReactNode;
  /** The main action, which is always visible. On phones, a button shows the other actions. */
  readonly action?: ReactNode;
}

export function ExtraHead({ children, action }: ExtraHeadProps) {
  useStylesheet(css);
  const tab = useContext(TabContext);
  const extra = assertDefined(
    EXTRAS.find(({ key }) => key === tab),
    `extra ${tab}`,
  );
  const isNew = useLastAddedExtra() === extra.key;
  const isWide = useIsWide();
  const [isOpen, setOpen] = useState(false);
  const actions = (
    <>
      <RemoveExtra extra={extra} />
      {children}
    </>
  );
  return (
    <>
      <TabHead title={extra.label} {...(isWide && { note: extra.description })}>
        {isWide && actions}
        {action}
        {!isWide && (
          <IconButton
            icon={Ellipsis}
            label="More"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </TabHead>
      {!isWide && isOpen && <div className="tab-actions row cluster">{actions}</div>}
      {isNew && <AddedMessage extra={extra} />}
    </>
  );
}

function AddedMessage({ extra }: { extra: ExtraIdentity }) {
  const { remove } = useExtraActions(extra);
  const [isPending, undo] = useAction(remove);
  useEffect(() => () => setLastAddedExtra(null), []);
  return (
    <Callout
      tone="ok"
      action={
        <Button isPending={isPending} onClick={() => undo()}>
          Undo
        </Button>
      }
    >
      {createAddedMessage(extra.label)}
    </Callout>
  );
}

function RemoveExtra({ extra }: { extra: ExtraIdentity }) {
  const { remove } = useExtraActions(extra);
  const [askToRemove, dialog] = useConfirmation(remove);
  return (
    <>
      <Button variant="quiet" onClick={askToRemove}>
        <Minus size={16} aria-hidden="true" /> <span>Remove</span>
      </Button>
      <ConfirmDialog {...dialog} title={`Remove ${extra.label}?`} confirmLabel="Remove">
        <p>
          Visitors will no longer see it. Your content is kept and restored when you add it again.
        </p>
      </ConfirmDialog>
    </>
  );
}
