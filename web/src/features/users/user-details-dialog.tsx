import type { User } from '@atrium/proto-events/people';
import { mailtoUri } from '@atrium/proto-events/text/email';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { AccountPill } from '#entities/user/account-pill.tsx';
import { Avatar } from '#entities/user/avatar.tsx';
import { MessageLink } from '#entities/user/message-link.tsx';
import { displayName, roleLabel } from '#entities/user/person.ts';
import { useUser } from '#entities/user/use-people.ts';
import { formatNumber } from '#lib/formats.ts';
import { Dialog, DialogBody } from '#ui/overlays/dialog.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { shortDate } from '#ui/times/time-format.ts';
import { UserText } from '#ui/user-text.tsx';

type Props = { user: User; onClose: () => void };

export function UserDetailsDialog({ user: listed, onClose }: Props) {
  const { data: user = listed } = useUser(listed._id, listed);
  return (
    <Dialog onClose={onClose} title="User Details" width="sm">
      <DialogBody>
        <Head>
          <Avatar person={user} size={56} />
          <div>
            <strong dir="auto">{displayName(user)}</strong>
            <a href={mailtoUri(user.email)}>{user.email}</a>
          </div>
        </Head>
        <Line>
          <AccountPill user={user} />
          <span>{roleLabel(user.role)}</span>
          <MessageLink user={user} size="sm" />
        </Line>
        <Facts>
          {factsOf(user).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <UserText>{value}</UserText>
              </dd>
            </div>
          ))}
        </Facts>
      </DialogBody>
    </Dialog>
  );
}

function factsOf(user: User): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
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
  return facts.filter(([, value]) => value);
}

/** Undefined unless the viewer is an administrator. */
function lastSignIn({ lastLogin }: User): ReactNode {
  if (lastLogin === undefined) return undefined;
  return lastLogin === null ? 'Never' : <RelativeTime key="time" time={lastLogin} />;
}

const Head = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[4]};
  > div {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  strong {
    display: block;
    font: 600 ${theme.text.lg};
  }
`;

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[3]};
  color: ${theme.color.text2};
`;

const Facts = styled.dl`
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
