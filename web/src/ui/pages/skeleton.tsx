import type { ReactNode } from 'react';
import { keyframes, styled } from 'styled-components';
import { Stack } from '../layout/primitives.ts';
import { dividedStyles, inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

type SkeletonBlockProps = { width?: number | string; height?: number; isRound?: boolean };

export function SkeletonBlock({ width = '100%', height = 14, isRound = false }: SkeletonBlockProps) {
  return <Shape aria-hidden="true" $round={isRound} style={{ width, height }} />;
}

export function Skeleton({ label = 'Loading', children }: { label?: string; children: ReactNode }) {
  return (
    <div role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {children}
    </div>
  );
}

export function SkeletonRows({ count = 4, hasDisc = true }: { count?: number; hasDisc?: boolean }) {
  return (
    <Skeleton>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical rows that never move
        <Row key={row}>
          {hasDisc && <SkeletonBlock width={32} height={32} isRound />}
          <Stack $gap={2} $flex="fill">
            <SkeletonBlock width={`${46 + ((row * 13) % 30)}%`} />
            <SkeletonBlock width={`${64 + ((row * 7) % 24)}%`} height={12} />
          </Stack>
        </Row>
      ))}
    </Skeleton>
  );
}

const pulse = keyframes`50% { opacity: 0.5; }`;

const Shape = styled.span<{ $round: boolean }>`
  display: block;
  flex: none;
  max-width: 100%;
  border-radius: ${({ $round }) => ($round ? theme.radius.full : theme.radius.sm)};
  background: ${theme.color.sunken};
  animation: ${pulse} 1.6s ease-in-out infinite;
  ${theme.media.still} {
    animation: none;
  }
`;

const Row = styled.div`
  ${inlineStyles(4)}
  min-height: 60px;
  padding: ${theme.space[3]} ${theme.gutter.card};
  ${dividedStyles}
`;
