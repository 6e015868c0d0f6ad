import { styled } from 'styled-components';
import { CardSurface } from '../../../ui/pages/card.tsx';
import { Bone, Skeleton } from '../../../ui/pages/skeleton.tsx';
import { theme } from '../../../ui/theme.ts';

const CARDS = ['one', 'two', 'three'];

/** The shape of the cards to come. */
export function CardBones() {
  return (
    <Skeleton label="Loading tasks">
      <Stack>
        {CARDS.map((card, index) => (
          <Shape key={card}>
            <Bone width={`${88 - index * 14}%`} />
            <Bone width={`${40 + index * 9}%`} />
            <Bone width={72} height={16} />
          </Shape>
        ))}
      </Stack>
    </Skeleton>
  );
}

const Stack = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  padding-top: ${theme.space[1]};
`;

const Shape = styled(CardSurface)`
  display: grid;
  gap: ${theme.space[2]};
  padding: ${theme.space[3]};
`;
