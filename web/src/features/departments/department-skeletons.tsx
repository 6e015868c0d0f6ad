import { styled } from 'styled-components';
import { CardSurface } from '../../ui/pages/card.tsx';
import { CardGrid } from '../../ui/pages/card-grid.ts';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';

/** Cards that are still to come. */
export function DepartmentSkeletons() {
  return (
    <Skeleton label="Loading departments">
      <CardGrid as="div">
        {['one', 'two', 'three', 'four', 'five', 'six'].map((card) => (
          <Card key={card}>
            <Bone width={44} height={44} />
            <div>
              <Bone width="60%" height={16} />
              <Bone width="40%" />
            </div>
          </Card>
        ))}
      </CardGrid>
    </Skeleton>
  );
}

const Card = styled(CardSurface)`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 84px;
  padding: ${theme.space[5]};
  > div {
    flex: 1;
    display: grid;
    gap: ${theme.space[2]};
  }
`;
