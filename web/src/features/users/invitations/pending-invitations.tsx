import type { Invitation } from '@atrium/proto-events/http/invitations';
import { MailPlus, RotateCw, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { useInvitations } from '#entities/user/use-users.ts';
import { displayName, roleAndDepartment } from '#entities/user/user-labels.ts';
import { useStableList } from '#lib/hooks/use-stable-order.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useClampedPage } from '#lib/query/paging.ts';
import { Button } from '#ui/button.tsx';
import { DividedList, Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { shortDate } from '#ui/times/time-format.ts';
import { Pager } from '../pager.tsx';
import { DELIVERY_LABELS, DELIVERY_SENTENCES, DELIVERY_TONES } from './delivery-labels.ts';
import { type InvitationWithLink, useInvitationActions } from './use-invitation-actions.ts';

const ResendDialog = lazyNamed(() => import('./invitation-dialogs.tsx'), 'ResendDialog');
const RevokeDialog = lazyNamed(() => import('./invitation-dialogs.tsx'), 'RevokeDialog');

type OpenDialog =
  | { kind: 'none' }
  | { kind: 'resent'; invitation: InvitationWithLink }
  | { kind: 'revoke'; invitation: Invitation };

const FIRST_PAGE = { page: '1' };

export function PendingInvitations() {
  const [openDialog, setOpenDialog] = useState<OpenDialog>({ kind: 'none' });
  const actions = useInvitationActions();
  const {
    run: resend,
    inFlight: busyIds,
    failure,
  } = useAction(async (id: string) => {
    setOpenDialog({ kind: 'resent', invitation: await actions.resend(id) });
    showSuccess('Invitation sent successfully');
  }, 'Failed to send invitation');
  const [{ page }] = useUrlState(FIRST_PAGE);
  const close = () => setOpenDialog({ kind: 'none' });
  return (
    <>
      <FormFailure failure={failure} />
      <InvitationList
        busyIds={busyIds}
        onResend={({ _id }) => void resend(_id)}
        onRevoke={(invitation) => setOpenDialog({ kind: 'revoke', invitation })}
      />
      <Suspense fallback={null}>
        {openDialog.kind === 'resent' && (
          <ResendDialog invitation={openDialog.invitation} page={page} onClose={close} />
        )}
        {openDialog.kind === 'revoke' && <RevokeDialog invitation={openDialog.invitation} onClose={close} />}
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
  const [{ page }, setUrlState] = useUrlState(FIRST_PAGE);
  const invitationPage = useInvitations(true, page);
  const { data } = invitationPage;
  useClampedPage(data, (last) => setUrlState({ page: String(last) }));
  const { items: invitations, handlers } = useStableList(invitationPage, page);
  const pager = data && data.totalPages > 1 && (
    <Pager list={data} onPage={(next) => setUrlState({ page: String(next) }, 'push')} />
  );
  return (
    <Card footer={pager}>
      <AsyncContent query={invitationPage} failure="Failed to load invitations" skeletons={<SkeletonRows count={3} />}>
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

type InvitationRowProps = {
  invitation: Invitation;
  busyIds: readonly string[];
  onResend: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
};

function InvitationRow({ invitation, busyIds, onResend, onRevoke }: InvitationRowProps) {
  const person = { ...invitation, _id: invitation.user };
  const name = displayName(person);
  return (
    <Row aria-label={`Invitation for ${name}`}>
      <Avatar user={person} size={36} />
      <TextColumn>
        <strong dir="auto">{name}</strong>
        <small>
          {invitation.email} · {roleAndDepartment(invitation)}
        </small>
        <small>
          Invited <RelativeTime time={invitation.createdAt} /> by <bdi>{displayName(invitation.invitedBy)}</bdi>
          {invitation.expired ? '' : `, until ${shortDate(invitation.expiresAt)}`}
        </small>
      </TextColumn>
      <Inline $gap={2} $wraps>
        {invitation.expired && <Pill tone="warning">Expired</Pill>}
        <Pill tone={DELIVERY_TONES[invitation.delivery]} title={DELIVERY_SENTENCES[invitation.delivery]}>
          {DELIVERY_LABELS[invitation.delivery]}
        </Pill>
      </Inline>
      <Inline $gap={1} $align="stretch">
        <Button
          size="sm"
          icon={<RotateCw />}
          isBusy={busyIds.includes(invitation._id)}
          onPress={() => onResend(invitation)}
          aria-label={`Resend the invitation for ${name}`}
        >
          Resend
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 />}
          onPress={() => onRevoke(invitation)}
          aria-label={`Revoke the invitation for ${name}`}
        >
          Revoke
        </Button>
      </Inline>
    </Row>
  );
}

const Row = styled.li`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]} ${theme.space[4]};
  padding: ${theme.space[3]} ${theme.gutter.card};
`;

const TextColumn = styled.div`
  flex: 1 1 240px;
  min-width: 0;
  overflow-wrap: anywhere;
  strong {
    font-weight: 500;
  }
  small {
    display: block;
    ${captionStyles}
  }
`;
