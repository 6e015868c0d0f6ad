import { styled } from 'styled-components';
import { circleStyles } from '#ui/initials-circle.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { Avatar } from './avatar.tsx';
import { displayName, type PersonLike } from './person.ts';

type Props = {
  people: readonly PersonLike[];
  max: number;
  /** The total, if `people` is truncated. */
  count?: number | undefined;
  size?: number;
};

export function AvatarStack({ people, max, count = people.length, size = 26 }: Props) {
  const hiddenCount = Math.max(0, count - max);
  const unnamedCount = count - people.length;
  const names = [
    ...people.slice(max).map(displayName),
    ...(unnamedCount > 0 ? [unnamedCount === 1 ? '1 other' : `${unnamedCount} others`] : []),
  ].join(', ');
  if (people.length === 0) return null;
  return (
    <Row>
      {people.slice(0, max).map((person) => (
        <li key={person._id}>
          <Avatar person={person} size={size} isNamed />
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
