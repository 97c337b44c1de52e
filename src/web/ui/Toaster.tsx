/** Shows the toast there is in a live region at the foot of the screen. */
import { useSignals } from "@preact/signals-react/runtime";
import { Action, Close, Description, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { createPortal } from "react-dom";
import { CloseIcon } from "./CloseIcon.tsx";
import { openDialogs } from "./openDialogs.ts";
import { currentToast, dismissToast, type Toast, TOAST_DURATION } from "./toast.ts";

/** Renders the viewport; once per page. F8 moves focus into it (spec section 9). */
export function Toaster() {
  useSignals();
  const toast = currentToast.value;
  // Within an open dialog, or the toast would lie under it, out of reach.
  const place = openDialogs.value.at(-1) ?? document.body;
  return (
    <Provider
      duration={TOAST_DURATION}
      swipeDirection="right"
      label="Notification"
      announcerContainer={place}
    >
      {toast && <ShownToast key={toast.id} {...toast} />}
      {createPortal(
        <Viewport className="ui-toasts" hotkey={["F8"]} label="Notifications ({hotkey})" />,
        place,
      )}
    </Provider>
  );
}

function ShownToast({ id, open, title, description, destructive, action }: Toast) {
  return (
    <Root
      open={open}
      onOpenChange={(stays) => !stays && dismissToast(id)}
      className="ui-toast"
      data-destructive={destructive || undefined}
    >
      <div className="ui-toast-words">
        <Title className="ui-toast-title">{title}</Title>
        {description && <Description className="ui-toast-description">{description}</Description>}
      </div>
      {action && (
        <Action
          altText={action.label}
          onClick={action.onPress}
          className="ui-button"
          data-size="small"
        >
          {action.label}
        </Action>
      )}
      <Close className="ui-close" aria-label="Close notification">
        <CloseIcon />
      </Close>
    </Root>
  );
}
