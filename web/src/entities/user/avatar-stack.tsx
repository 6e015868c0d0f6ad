import { styled } from 'styled-components';
import { circleStyles } from '#ui/initials-circle.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { Avatar } from './avatar.tsx';
import { countOthers, displayName, type NamedUser } from './user-labels.ts';

type Props = {
  users: readonly NamedUser[];
  max: number;
  /** The total, if `users` is truncated. */
  count?: number | undefined;
  size?: number;
};

export function AvatarStack({ users, max, count = users.length, size = 26 }: Props) {
  const hiddenCount = Math.max(0, count - max);
  const names = [...users.slice(max).map(displayName), ...countOthers(count - users.length)].join(', ');
  if (users.length === 0) return null;
  return (
    <Row>
      {users.slice(0, max).map((user) => (
        <li key={user._id}>
          <Avatar user={user} size={size} showsName />
        </li>
      ))}
      {hiddenCount > 0 && (
        <li>
          <More style={{ '--size': `${size}px` }} title={names}>
            +{hiddenCount}
            <VisuallyHidden> more: {names}</VisuallyHidden>
          </More>
        </li>
      )}
    </Row>
  );
}

const Row = styled.ul`
  display: flex;
  > li {
    display: flex;
    border-radius: ${theme.radius.full};
    box-shadow: 0 0 0 2px ${theme.color.surface};
    margin-inline-start: -4px;
  }
  > li:first-child {
    margin-inline-start: 0;
  }
`;

const More = styled.span`
  ${circleStyles}
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
`;
