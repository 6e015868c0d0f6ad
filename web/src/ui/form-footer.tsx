import { useCloseDialog } from '../lib/forms/unsaved-changes.tsx';
import { Button } from './button.tsx';
import { DialogFooter } from './overlays/dialog-parts.ts';

type Props = {
  /** The verb on the button that submits. */
  action: string;
  /** The same while it is under way, where the product says it differently. */
  busyAction?: string;
  isBusy: boolean;
  isDisabled?: boolean;
};

/** How every form in a dialog ends: Cancel, which asks where something was changed, and the button that submits. */
export function FormFooter({ action, busyAction = action, isBusy, isDisabled = false }: Props) {
  const close = useCloseDialog();
  return (
    <DialogFooter>
      <Button onPress={close}>Cancel</Button>
      <Button type="submit" variant="primary" isBusy={isBusy} isDisabled={isDisabled}>
        {isBusy ? busyAction : action}
      </Button>
    </DialogFooter>
  );
}
