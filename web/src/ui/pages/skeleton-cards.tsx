import type { ElementType, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Inline, Stack } from '../layout/primitives.ts';
import { theme } from '../theme.ts';
import { CardGrid, CardSurface } from './card.tsx';
import { Skeleton, SkeletonBlock } from './skeleton.tsx';

type Props = {
  label: string;
  count?: number;
  as?: ElementType<{ as?: 'div'; children: ReactNode }>;
  /** The size in pixels of the element at the upper left of a card, such as a picture. */
  mark?: { width: number; height: number; isRound?: boolean };
  /** Widths of lines in percent, next to the mark and below it. */
  beside?: readonly number[];
  below?: readonly number[];
  isSmall?: boolean;
};

export function SkeletonCards({
  label,
  count = 6,
  as: Container = CardGrid,
  mark,
  beside = [],
  below = [],
  isSmall = false,
}: Props) {
  const lines = (card: number, widths: readonly number[]) => (
    <Stack $gap={2} $flex="fill">
      {widths.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical lines that never move
        <SkeletonBlock key={line} width={`${Math.min(96, width + ((card * 7 + line * 3) % 12))}%`} />
      ))}
    </Stack>
  );
  const cards = Array.from({ length: count }, (_, card) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: identical cards that never move
    <Shape key={card} $small={isSmall}>
      {beside.length > 0 && (
        <Inline $gap={3}>
          {mark && <SkeletonBlock {...mark} />}
          {lines(card, beside)}
        </Inline>
      )}
      {below.length > 0 && lines(card, below)}
    </Shape>
  ));
  // The container is a list by default, but skeletons are not list items.
  return (
    <Skeleton label={label}>
      <Container as="div">{cards}</Container>
    </Skeleton>
  );
}

const Shape = styled(CardSurface)<{ $small: boolean }>`
  display: grid;
  align-content: start;
  gap: ${({ $small }) => theme.space[$small ? 2 : 4]};
  padding: ${({ $small }) => theme.space[$small ? 3 : 5]};
`;
