/** A short explanation that appears on hover and focus (spec section 9). */
import {
  Arrow,
  Content,
  Portal,
  Provider,
  Root,
  Trigger,
  type TooltipContentProps,
} from "@radix-ui/react-tooltip";
import type { ReactElement, ReactNode } from "react";

/** How long the pointer rests before the first tooltip opens, in milliseconds. */
const OPEN_DELAY = 700;
/** Within this time after one has closed the next opens at once, in milliseconds. */
const SKIP_DELAY = 300;

/** Stands around everything that has tooltips, so that they share their delays. */
export function TooltipArea({ children }: { children: ReactNode }) {
  return (
    <Provider delayDuration={OPEN_DELAY} skipDelayDuration={SKIP_DELAY}>
      {children}
    </Provider>
  );
}

/** `children` is one focusable element that takes a ref and names itself; `text` only adds to it. */
export interface TooltipProps {
  readonly text: ReactNode;
  readonly side?: TooltipContentProps["side"];
  readonly children: ReactElement;
}

/** Renders `children` with a tooltip; needs a TooltipArea around it. */
export function Tooltip({ text, side = "top", children }: TooltipProps) {
  return (
    <Root>
      <Trigger asChild>{children}</Trigger>
      <Portal>
        <Content side={side} sideOffset={6} collisionPadding={8} className="ui-tooltip">
          {text}
          <Arrow className="ui-tooltip-arrow" />
        </Content>
      </Portal>
    </Root>
  );
}
