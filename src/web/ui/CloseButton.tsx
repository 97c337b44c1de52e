/** The Close button of a dialog or a toast. */

/** `label` names what is closed. */
interface CloseButtonProps {
  readonly label: string;
  readonly onClick: () => void;
}

export function CloseButton({ label, onClick }: CloseButtonProps) {
  return (
    <button type="button" className="ui-close" aria-label={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
    </button>
  );
}
