import { Button, type ButtonProps } from '../button.tsx';

type Props = Omit<ButtonProps, 'onPress'> & { onPress: () => void };

/**
 * Moves focus to the first field or the cleared search, but not after touch, because that would open an on-screen
 * keyboard.
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
  const container = button.closest('form, [role=search]') ?? document.querySelector('[role=search]');
  const fields = [...(container?.querySelectorAll<HTMLElement>(FIELD) ?? [])];
  fields.find((field) => field !== button)?.focus();
}

/**
 * Focusable elements; a radio group also has hidden inputs. The notices above the fields have buttons that the same press
 * may remove.
 */
const FIELD =
  ':is(input, textarea, button):enabled:not([tabindex="-1"], [type=hidden], [role=alert] *, [role=status] *)';
