import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { useClosingActions } from './use-closing-actions.ts';

/** Reopens a closed meeting after confirmation. */
export function ReopenMeeting({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { reopen } = useClosingActions();
  return (
    <>
      <Button size="sm" variant="secondary" onPress={() => setOpen(true)}>
        Reopen Meeting
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={() => reopen(id)}
        success="Meeting reopened"
        title="Reopen meeting"
        action="Reopen Meeting"
        failure="Failed to reopen meeting"
      >
        <p>
          The summary is removed from the project’s conversation. Notes and decisions stay, with the tasks that were
          created from them. You can then close the meeting again.
        </p>
      </ConfirmDialog>
    </>
  );
}
