import { styled } from 'styled-components';
import { CardSurface } from '../../ui/pages/card.tsx';
import { Bone, Skeleton } from '../../ui/pages/skeleton.tsx';
import { theme } from '../../ui/theme.ts';

const COUNT = 6;

/** Cards in the shape of those that will come. */
export function CardSkeletons() {
  return Array.from({ length: COUNT }, (_, card) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: identical cards that never move
    <Card key={card}>
      <Skeleton label={card === 0 ? 'Loading documents' : ''}>
        <Line>
          <Bone width={40} height={40} />
          <Two>
            <Bone width={`${52 + ((card * 13) % 30)}%`} />
            <Bone width={56} height={12} />
          </Two>
        </Line>
        <Middle>
          <Bone width="88%" />
          <Bone width={`${40 + ((card * 17) % 30)}%`} />
        </Middle>
        <Line>
          <Bone width={28} height={28} isRound />
          <Two>
            <Bone width={104} height={12} />
            <Bone width={64} height={12} />
          </Two>
        </Line>
      </Skeleton>
    </Card>
  ));
}

const Card = styled(CardSurface)`
  padding: ${theme.space[4]};
`;

const Line = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
`;

const Two = styled.div`
  flex: 1;
  display: grid;
  gap: 6px;
`;

const Middle = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  margin: ${theme.space[4]} 0;
`;
