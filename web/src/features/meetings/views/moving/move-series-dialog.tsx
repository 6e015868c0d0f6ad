import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { ScopeChoice } from '../../form/scope-choice.tsx';
import type { Scope } from '../../use-meeting-actions.ts';
import { whenWords } from '../event-words.ts';
import type { Moved } from './use-moving.ts';

type Props = { moved: Moved; onClose: () => void; onCancel: () => void; onConfirm: (scope: Scope) => void };

/** One of a series was moved: which of its meetings that is for. */
export function MoveSeriesDialog({ moved: { event, span }, onClose, onCancel, onConfirm }: Props) {
  const isConfirmed = useRef(false);
  const [scope, setScope] = useState<Scope>('this');
  return (
    <ConfirmDialog
      isOpen
      onClose={() => {
        if (!isConfirmed.current) onCancel();
        onClose();
      }}
      onConfirm={() => {
        isConfirmed.current = true;
        return Promise.resolve(onConfirm(scope));
      }}
      title="Move repeating meeting"
      action="Move Meeting"
      failure="Failed to update meeting"
      isDangerous={false}
    >
      <p>{`“${event?.title}” would be on ${whenWords(span)}. Who is invited will be told and asked again.`}</p>
      <ScopeChoice label="Move" value={scope} onChange={setScope} />
    </ConfirmDialog>
  );
}
