import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { getDraft } from '#lib/forms/drafts.ts';
import { useCloseDialog } from '#lib/forms/unsaved-changes.ts';
import { useHasBeenTrue } from '#lib/hooks/use-has-been-true.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogSkeleton } from '#ui/overlays/resource-dialog.tsx';
import { SegmentedControl } from '#ui/segmented-control.tsx';

import { theme } from '#ui/theme.ts';
import { BULK_DRAFT_KEY } from '../bulk-invite/draft-key.ts';
import { InviteResult } from './invitation-dialogs.tsx';
import { EMPTY, InviteForm } from './invite-form.tsx';
import type { InvitationWithLink } from './use-invitation-actions.ts';

const BulkInvite = lazyNamed(() => import('../bulk-invite/bulk-invite.tsx'), 'BulkInvite');

type Props = { onClose: () => void };
type Mode = 'one' | 'several';

const MODES = [
  { key: 'one', label: 'One person' },
  { key: 'several', label: 'Several people' },
] as const;

/** Both tabs stay mounted once opened, so that switching between them loses nothing. */
export function InviteDialog({ onClose }: Props) {
  const [mode, setMode] = useState<Mode>(() => (getDraft(BULK_DRAFT_KEY) === undefined ? 'one' : 'several'));
  const hasBulk = useHasBeenTrue(mode === 'several');
  return (
    <Dialog onClose={onClose} title="Invite Team Member" width={mode === 'several' ? 'lg' : 'md'}>
      <Choice>
        <SegmentedControl<Mode> label="Invite" items={MODES} selected={mode} onSelect={setMode} />
      </Choice>
      <Panel hidden={mode !== 'one'}>
        <InviteOne />
      </Panel>
      {hasBulk && (
        <Panel hidden={mode !== 'several'}>
          <Suspense fallback={<DialogSkeleton label="Loading" />}>
            <BulkInvite />
          </Suspense>
        </Panel>
      )}
    </Dialog>
  );
}

function InviteOne() {
  const close = useCloseDialog();
  const [invitation, setInvitation] = useState<InvitationWithLink | null>(null);
  const [initialValues, setInitialValues] = useState(EMPTY);
  // Consecutive invitations are mostly for the same department.
  const inviteAnother = ({ role, department }: InvitationWithLink) => {
    setInitialValues({ ...EMPTY, role, department: department?._id ?? '' });
    setInvitation(null);
  };
  if (!invitation) return <InviteForm values={initialValues} onInvited={setInvitation} />;
  return <InviteResult invitation={invitation} onAnother={() => inviteAnother(invitation)} onDone={close} />;
}

const Choice = styled.div`
  padding: ${theme.space[1]} ${theme.gutter.panel} ${theme.space[3]};
`;

const Panel = styled.div`
  &,
  > form {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-height: 0;
  }
  &[hidden] {
    display: none;
  }
`;
