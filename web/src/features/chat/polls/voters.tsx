import type { PollOption } from '@atrium/proto-events/http/chat/message-parts';
import { Button } from 'react-aria-components/Button';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { FloatingSurface } from '#ui/floating-surface.tsx';
import { bareButton, captionStyles, focusRing, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { otherVoters } from './poll-labels.ts';

const SHOWN_AVATARS = 3;

/** Who has voted for an option. */
export function Voters({ option }: { option: PollOption }) {
  const { text, count, users } = option;
  const label = `Who voted for ${text}`;
  return (
    <DialogTrigger>
      <Opener>
        <VisuallyHidden>{label}</VisuallyHidden>
        <span aria-hidden="true">
          <AvatarStack users={users} max={SHOWN_AVATARS} count={count} size={22} />
        </span>
      </Opener>
      <FloatingSurface placement="bottom end">
        <List aria-label={label}>
          {users.map((user) => (
            <Voter key={user._id}>
              <Avatar user={user} size={24} />
              <span dir="auto">{displayName(user)}</span>
            </Voter>
          ))}
          {count > users.length && <More>{otherVoters(count - users.length)}</More>}
        </List>
      </FloatingSurface>
    </DialogTrigger>
  );
}

const Opener = styled(Button)`
  ${bareButton}
  ${focusRing}
  display: grid;
  place-items: center;
  min-width: 44px;
  min-height: 44px;
  padding: 0 ${theme.space[1]};
  border-radius: ${theme.radius.md};
  &[data-hovered] {
    background: ${theme.color.hover};
  }
`;

const List = styled(Dialog)`
  display: grid;
  gap: ${theme.space[1]};
  padding: ${theme.space[2]};
  font: ${theme.text.sm};
  outline: none;
`;

const Voter = styled.span`
  ${inlineStyles(2)}
  min-width: 0;
  overflow-wrap: anywhere;
`;

const More = styled.span`
  ${captionStyles}
`;
