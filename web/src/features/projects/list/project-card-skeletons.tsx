import { styled } from 'styled-components';
import { CardSurface } from '../../../ui/pages/card.tsx';
import { Bone, Skeleton } from '../../../ui/pages/skeleton.tsx';
import { theme } from '../../../ui/theme.ts';

const CARDS = ['one', 'two', 'three', 'four', 'five', 'six'];

/** The shape of the cards to come. */
export function ProjectCardSkeletons() {
  return (
    <Skeleton label="Loading projects">
      <Grid>
        {CARDS.map((card, index) => (
          <Shape key={card}>
            <Bone width={`${44 + ((index * 11) % 30)}%`} height={18} />
            <Bone width="92%" />
            <Bone width={`${50 + ((index * 7) % 30)}%`} />
            <Bone height={6} />
            <Bone width="60%" height={16} />
          </Shape>
        ))}
      </Grid>
    </Skeleton>
  );
}

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]};
  @media (max-width: 859px) {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const Shape = styled(CardSurface)`
  display: grid;
  align-content: start;
  gap: ${theme.space[3]};
  min-height: 178px;
  padding: ${theme.space[5]};
`;
