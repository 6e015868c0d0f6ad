import { styled } from 'styled-components';
import { discLook } from '../../ui/disc.tsx';
import { theme } from '../../ui/theme.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { Avatar } from './avatar.tsx';
import { displayName, type PersonLike } from './person.ts';

type Props = { people: readonly PersonLike[]; max: number; size?: number };

/** The first few people, then how many more; all names are in the tooltip of the rest. */
export function AvatarStack({ people, max, size = 26 }: Props) {
  const rest = people.slice(max);
  if (people.length === 0) return null;
  return (
    <Row>
      {people.slice(0, max).map((person) => (
        <li key={person._id}>
          <Avatar person={person} size={size} isNamed />
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          <More style={{ '--size': `${size}px` }} title={rest.map(displayName).join(', ')}>
            +{rest.length}
            <VisuallyHidden> more: {rest.map(displayName).join(', ')}</VisuallyHidden>
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
    margin-left: -4px;
  }
  > li:first-child {
    margin-left: 0;
  }
`;

const More = styled.span`
  ${discLook}
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
`;
