import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';

type Props = { onCancel: () => void; isSubmitting: boolean; action: string };

/** How each of the meeting forms ends. */
export function FormFoot({ onCancel, isSubmitting, action }: Props) {
  return (
    <DialogFooter>
      <Button onPress={onCancel}>Cancel</Button>
      <Button type="submit" variant="primary" isBusy={isSubmitting}>
        {action}
      </Button>
    </DialogFooter>
  );
}
