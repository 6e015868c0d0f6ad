import { useRef, useState } from 'react';
import { countPeople } from '#entities/user/user-labels.ts';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { type CalendarEvent, countOthers } from '../layout/calendar-event.ts';
import { spanWithDayLabel } from '../layout/event-labels.ts';
import type { Span } from '../layout/span.ts';
import { SeriesScopeField } from '../series-scope-field.tsx';
import type { Scope } from '../use-meeting-actions.ts';

type Props = {
  event: CalendarEvent;
  span: Span;
  onClose: () => void;
  onCancel: () => void;
  onConfirm: (scope: Scope) => void;
};

export function MoveMeetingDialog({ event, span, onClose, onCancel, onConfirm }: Props) {
  const isConfirmed = useRef(false);
  const [scope, setScope] = useState<Scope>('this');
  const isSeries = event.meeting?.isRecurring === true;
  const otherCount = countOthers(event);
  return (
    <ConfirmDialog
      onClose={() => {
        if (!isConfirmed.current) onCancel();
        onClose();
      }}
      onConfirm={() => {
        isConfirmed.current = true;
        return Promise.resolve(onConfirm(scope));
      }}
      title={isSeries ? 'Move repeating meeting' : 'Move meeting'}
      action="Move Meeting"
      failure="Failed to update meeting"
      isDangerous={false}
    >
      <p>
        {`“${event.title}” would be on ${spanWithDayLabel(span)}.`}
        {otherCount > 0 && ` ${countPeople(otherCount, 'participant')} will be notified and asked to respond again.`}
      </p>
      {isSeries && <SeriesScopeField label="Move" value={scope} onChange={setScope} />}
    </ConfirmDialog>
  );
}
