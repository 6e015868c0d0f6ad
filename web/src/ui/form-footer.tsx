import { useCloseDialog } from '#lib/forms/unsaved-changes.tsx';
import { Button } from './button.tsx';
import { DialogFooter } from './overlays/dialog-parts.ts';

type Props = {
  /** The label of the submit button. */
  action: string;
  /** Its label while busy, if different. */
  busyAction?: string;
  isBusy: boolean;
  isDisabled?: boolean;
};

/** The footer of a form in a dialog: Cancel, with confirmation after changes, and the submit button. */
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
