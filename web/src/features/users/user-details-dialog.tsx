import type { User } from '@atrium/proto-events/people';
import { mailtoUri } from '@atrium/proto-events/text/email';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { AccountPill } from '#entities/user/account-status.tsx';
import { Avatar } from '#entities/user/avatar.tsx';
import { MessageLink } from '#entities/user/message-link.tsx';
import { useUser } from '#entities/user/use-users.ts';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { Box, Inline, Text } from '#ui/layout/primitives.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { shortDate } from '#ui/times/time-format.ts';

type Props = { user: User; onClose: () => void };

export function UserDetailsDialog({ user: initialUser, onClose }: Props) {
  const { data: user = initialUser } = useUser(initialUser._id, initialUser);
  return (
    <Dialog onClose={onClose} title="User Details" width="sm">
      <DialogBody>
        <Inline $gap={4}>
          <Avatar user={user} size={56} />
          <Box $flex="shrink" $breaks>
            <Text as="strong" $size="lg" $weight={600} $block dir="auto">
              {displayName(user)}
            </Text>
            <a href={mailtoUri(user.email)}>{user.email}</a>
          </Box>
        </Inline>
        <Inline $gap={3} $wraps $tone="text2">
          <AccountPill user={user} />
          <span>{roleLabel(user.role)}</span>
          <MessageLink user={user} size="sm" />
        </Inline>
        <Details>
          {listDetails(user).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </Details>
      </DialogBody>
    </Dialog>
  );
}

function listDetails(user: User): [string, ReactNode][] {
  const details: [string, ReactNode][] = [
    [
      'Department',
      user.departmentSelfAssigned ? `${user.department?.name ?? 'None'}, self-assigned` : user.department?.name,
    ],
    ['Phone', user.phone],
    ['Location', user.location],
    ['Time zone', user.timezone],
    ['Joined', shortDate(user.joinDate)],
    ['Last sign-in', lastSignIn(user)],
    ['Tasks completed', formatNumber(user.tasksCompleted)],
    ['Skills', user.skills.join(', ')],
    ['Bio', user.bio],
  ];
  return details.filter(([, value]) => value);
}

/** Returns undefined unless the viewer is an administrator. */
function lastSignIn({ lastLogin }: User): ReactNode {
  if (lastLogin === undefined) return undefined;
  return lastLogin === null ? 'Never' : <RelativeTime key="time" time={lastLogin} />;
}

const Details = styled.dl`
  > div {
    display: grid;
    grid-template-columns: 120px minmax(0, 1fr);
    gap: ${theme.space[3]};
    padding: ${theme.space[2]} 0;
    border-top: 1px solid ${theme.color.line};
  }
  dt {
    color: ${theme.color.text2};
  }
  dd {
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
`;
