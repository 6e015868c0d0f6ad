import type { Invitation } from '@atrium/proto-events/http/invitations';
import { RotateCw, Undo2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, roleAndDepartment } from '#entities/user/person.ts';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { captionStyles } from '#ui/mixins.ts';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { shortDate } from '#ui/times/time-format.ts';
import { DELIVERY_LABELS, DELIVERY_SENTENCES, DELIVERY_TONES } from './delivery-labels.ts';

type Props = {
  invitation: Invitation;
  busyIds: readonly string[];
  onResend: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
};

export function InvitationRow({ invitation, busyIds, onResend, onRevoke }: Props) {
  const person = { ...invitation, _id: invitation.user };
  const name = displayName(person);
  return (
    <Row aria-label={`Invitation for ${name}`}>
      <Avatar person={person} size={36} />
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
