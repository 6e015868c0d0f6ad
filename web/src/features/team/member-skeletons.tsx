import { styled } from 'styled-components';
import { CardSurface } from '../../ui/pages/card.tsx';
import { CardGrid } from '../../ui/pages/card-grid.ts';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';

/** Cards of people that are still to come. */
export function MemberSkeletons() {
  return (
    <Skeleton label="Loading team members">
      <CardGrid as="div">
        {['one', 'two', 'three', 'four', 'five', 'six'].map((card) => (
          <Card key={card}>
            <Head>
              <Bone width={48} height={48} isRound />
              <Lines>
                <Bone width="60%" height={16} />
                <Bone width="36%" />
              </Lines>
            </Head>
            <Lines>
              <Bone width="52%" />
              <Bone width="74%" />
              <Bone width="44%" />
              <Bone width="58%" />
            </Lines>
          </Card>
        ))}
      </CardGrid>
    </Skeleton>
  );
}

const Card = styled(CardSurface)`
  display: grid;
  gap: ${theme.space[5]};
  padding: ${theme.space[5]};
`;

const Head = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
`;

const Lines = styled.div`
  flex: 1;
  display: grid;
  gap: ${theme.space[2]};
`;
