import { styled } from 'styled-components';
import { CardSurface } from '../../ui/pages/card.tsx';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';

const ROWS = ['one', 'two', 'three', 'four'];

/** The shape of the cards to come. */
export function CardSkeletons() {
  return (
    <Skeleton label="Loading meetings">
      <Stack>
        {ROWS.map((row, index) => (
          <Shape key={row}>
            <Bone width={44} height={48} />
            <Lines>
              <Bone width={`${38 + index * 9}%`} height={16} />
              <Bone width={`${62 - index * 7}%`} />
              <Bone width={148} height={26} />
            </Lines>
          </Shape>
        ))}
      </Stack>
    </Skeleton>
  );
}

const Stack = styled.div`
  display: grid;
  gap: ${theme.space[3]};
`;

const Shape = styled(CardSurface)`
  display: flex;
  gap: ${theme.space[4]};
  padding: ${theme.space[4]} ${theme.space[5]};
  ${theme.media.compact} {
    padding: ${theme.space[4]};
  }
`;

const Lines = styled.div`
  flex: 1;
  display: grid;
  gap: ${theme.space[3]};
`;
