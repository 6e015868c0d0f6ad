import type { Invitation } from '@atrium/proto-events/http/invitations';
import { MailPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useInvitations } from '#entities/user/use-people.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useClampedPage } from '#lib/query/use-clamped-page.ts';
import { DividedList } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pager } from '../pager.tsx';
import { InvitationRow } from './invitation-row.tsx';
import { type InvitationWithLink, useInvitationActions } from './use-invitation-actions.ts';

const ResendDialog = lazyNamed(() => import('./resend-dialog.tsx'), 'ResendDialog');
const RevokeDialog = lazyNamed(() => import('./revoke-dialog.tsx'), 'RevokeDialog');

type Opened =
  | { kind: 'none' }
  | { kind: 'resent'; invitation: InvitationWithLink }
  | { kind: 'revoke'; invitation: Invitation };

const PLACE = { page: '1' };

/** Pending invitations and the delivery of their emails; administrators only. */
export function PendingInvitations() {
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const actions = useInvitationActions();
  const {
    run: resend,
    inFlight: busyIds,
    failure,
  } = useAction(async (id: string) => {
    setOpened({ kind: 'resent', invitation: await actions.resend(id) });
    showSuccess('Invitation sent successfully');
  }, 'Failed to send invitation');
  const [{ page }] = useUrlState(PLACE);
  const close = () => setOpened({ kind: 'none' });
  return (
    <>
      <FormFailure failure={failure} />
      <InvitationList
        busyIds={busyIds}
        onResend={({ _id }) => void resend(_id)}
        onRevoke={(invitation) => setOpened({ kind: 'revoke', invitation })}
      />
      <Suspense fallback={null}>
        {opened.kind === 'resent' && <ResendDialog invitation={opened.invitation} page={page} onClose={close} />}
        {opened.kind === 'revoke' && <RevokeDialog invitation={opened.invitation} onClose={close} />}
      </Suspense>
    </>
  );
}

type ListProps = {
  busyIds: readonly string[];
  onResend: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
};

function InvitationList(actions: ListProps) {
  const [{ page }, setPlace] = useUrlState(PLACE);
  const answer = useInvitations(true, page);
  const { data } = answer;
  useClampedPage(data, (last) => setPlace({ page: String(last) }));
  const { items: invitations, handlers } = useStableList(answer, page);
  const turner = data && data.totalPages > 1 && (
    <Pager
      page={data.page}
      totalPages={data.totalPages}
      shown={data.data.length}
      total={data.total}
      onPage={(next) => setPlace({ page: String(next) }, 'push')}
    />
  );
  return (
    <Card footer={turner}>
      <AsyncContent query={answer} failure="Failed to load invitations" skeletons={<SkeletonRows count={3} />}>
        {({ total }) =>
          total > 0 ? (
            <DividedList {...handlers}>
              {invitations.map((invitation) => (
                <InvitationRow key={invitation._id} invitation={invitation} {...actions} />
              ))}
            </DividedList>
          ) : (
            <EmptyState
              icon={<MailPlus />}
              title="No pending invitations"
              hint="Everyone who was invited has joined."
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}
