import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { isolate } from '@atrium/proto-events/text/isolate';
import { useState } from 'react';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { SeriesScopeField } from './series-scope-field.tsx';
import { type Scope, useMeetingActions } from './use-meeting-actions.ts';

type Props = { meeting: Meeting; onClose: () => void };

export function DeleteMeetingDialog({ meeting, onClose }: Props) {
  const [scope, setScope] = useState<Scope>('this');
  const { remove } = useMeetingActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove(meeting, scope)}
      success="Meeting deleted successfully"
      title="Delete meeting"
      action="Delete Meeting"
      failure="Failed to delete meeting"
    >
      <p>
        {`Are you sure you want to delete “${isolate(meeting.title)}”? Its participants will be notified that it is cancelled. This action cannot be undone.`}
      </p>
      {meeting.isRecurring && <SeriesScopeField label="Delete" value={scope} onChange={setScope} />}
    </ConfirmDialog>
  );
}
