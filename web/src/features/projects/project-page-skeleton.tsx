import { styled } from 'styled-components';
import { CardSurface } from '#ui/pages/card.tsx';
import { Skeleton, SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';

const COLUMNS = ['one', 'two', 'three', 'four'];

export function ProjectPageSkeleton() {
  return (
    <Skeleton label="Loading the project">
      <Details>
        <SkeletonBlock width="40%" />
        <SkeletonBlock width="72%" height={20} />
        <SkeletonBlock width="56%" />
      </Details>
      <BoardBlocks />
    </Skeleton>
  );
}

export function BoardSkeleton() {
  return (
    <Skeleton label="Loading tasks">
      <BoardBlocks />
    </Skeleton>
  );
}

const BoardBlocks = () => (
  <Board>
    {COLUMNS.map((column) => (
      <SkeletonBlock key={column} height={260} />
    ))}
  </Board>
);

const Details = styled(CardSurface)`
  display: grid;
  gap: ${theme.space[4]};
  margin-bottom: ${theme.space[6]};
  padding: ${theme.space[5]};
`;

const Board = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: ${theme.space[3]};
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
  }
`;
