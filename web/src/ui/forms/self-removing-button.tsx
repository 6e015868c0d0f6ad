import { Button, type ButtonProps } from '../button.tsx';

type Props = Omit<ButtonProps, 'onPress'> & { onPress: () => void };

/**
 * A button that goes by its own press, and would take the focus along: it goes on to the first field of the form around, or of the
 * search that is cleared. After a finger it does not, for over the page that would open a keyboard that nobody asked for.
 */
export function SelfRemovingButton({ onPress, ...rest }: Props) {
  return (
    <Button
      {...rest}
      onPress={({ target, pointerType }) => {
        if (pointerType !== 'touch') focusFirstField(target);
        onPress();
      }}
    />
  );
}

function focusFirstField(button: Element): void {
  const place = button.closest('form, [role=search]') ?? document.querySelector('[role=search]');
  const fields = [...(place?.querySelectorAll<HTMLElement>(FIELD) ?? [])];
  fields.find((field) => field !== button && !field.closest(NOTICE))?.focus();
}

/** What Tab comes to; a choice holds hidden inputs besides. */
const FIELD = ['input', 'textarea', 'button']
  .map((name) => `${name}:enabled:not([tabindex="-1"], [type=hidden])`)
  .join();

/** What stands above the fields has buttons that may go by the same press. */
const NOTICE = '[role=alert], [role=status]';
