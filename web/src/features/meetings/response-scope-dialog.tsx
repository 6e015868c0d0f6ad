import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { useState } from 'react';
import { ConfirmDialog } from '#ui/overlays/confirm-dialog.tsx';
import { SeriesScopeField } from './form/series-scope-field.tsx';
import { type Answer, type Scope, useMeetingActions } from './use-meeting-actions.ts';

const VERBS = { accepted: 'Accept', tentative: 'Tentative', declined: 'Decline' } as const;

type Props = { meeting: Meeting; answer: Answer; onClose: () => void };

/** Asks which meetings of a series a response applies to. */
export function ResponseScopeDialog({ meeting, answer, onClose }: Props) {
  const [scope, setScope] = useState<Scope>('this');
  const { respond } = useMeetingActions();
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => respond(meeting, answer, scope)}
      title="Respond to recurring meeting"
      action={VERBS[answer]}
      failure="Failed to respond to meeting"
      isDangerous={answer === 'declined'}
    >
      <SeriesScopeField label="Respond to" value={scope} onChange={setScope} />
    </ConfirmDialog>
  );
}
