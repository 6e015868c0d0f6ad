import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { captionStyles, stretchedLink } from '../mixins.ts';
import { theme } from '../theme.ts';
import { CardSurface } from './card.tsx';
import { SkeletonBlock } from './skeleton.tsx';

type Stat = {
  label: string;
  /** Undefined while loading; a dash when it failed to load. */
  value: number | string | undefined;
  tone?: 'neutral' | 'danger';
  to?: string;
};

export function StatCards({ stats, label }: { stats: readonly Stat[]; label: string }) {
  return (
    <Strip as="dl" aria-label={label} $count={stats.length}>
      {stats.map((stat) => (
        <Cell key={stat.label}>
          <Name>{stat.label}</Name>
          <Figure $tone={stat.tone === 'danger' && Number(stat.value) > 0 ? 'danger' : 'neutral'}>
            {stat.value === undefined ? <SkeletonBlock width={44} height={24} /> : <Value stat={stat} />}
          </Figure>
        </Cell>
      ))}
    </Strip>
  );
}

function Value({ stat }: { stat: Stat }) {
  const shown = typeof stat.value === 'number' ? formatNumber(stat.value) : stat.value;
  return stat.to ? (
    <Whole to={stat.to} aria-label={`${stat.label}: ${shown}`}>
      {shown}
    </Whole>
  ) : (
    shown
  );
}

/** Columns on small screens: one row, or two for more than four. */
const perLine = (count: number) => (count > 4 ? Math.ceil(count / 2) : count);

/* A column is never narrower than its figure or the longest word of its label. */
const Strip = styled(CardSurface)<{ $count: number }>`
  display: grid;
  grid-template-columns: repeat(${({ $count }) => $count}, minmax(min-content, 1fr));
  overflow: hidden;
  margin-bottom: ${theme.space[6]};
  ${theme.media.compact} {
    grid-template-columns: repeat(${({ $count }) => perLine($count)}, minmax(min-content, 1fr));
    margin-bottom: ${theme.space[4]};
  }
`;

/* Hairlines are one-pixel shadows at the start and top, so that they fit however the cells wrap. */
const Cell = styled.div`
  position: relative;
  display: flex;
  flex-direction: column-reverse;
  justify-content: flex-end;
  gap: 2px;
  padding: ${theme.space[5]} clamp(12px, 1.6vw, 24px);
  box-shadow: -1px -1px 0 0 ${theme.color.line};
  ${theme.media.compact} {
    padding: ${theme.space[4]};
  }
  ${theme.media.small} {
    gap: 0;
    padding: ${theme.space[2]};
  }
`;

const Name = styled.dt`
  ${captionStyles}
  ${theme.media.small} {
    font: ${theme.text.xs};
  }
`;

const Figure = styled.dd<{ $tone: 'neutral' | 'danger' }>`
  min-height: 36px;
  display: flex;
  align-items: center;
  font: 600 28px / 36px var(--font);
  letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums;
  color: ${({ $tone }) => ($tone === 'danger' ? theme.color.danger : theme.color.text)};
  white-space: nowrap;
  ${theme.media.small} {
    min-height: 24px;
    font: 600 17px / 24px var(--font);
    letter-spacing: -0.01em;
  }
`;

const Whole = styled(Link)`
  ${stretchedLink}
  &:hover::after {
    background: ${theme.color.hover};
  }
  &:focus-visible::after {
    box-shadow: inset 0 0 0 2px ${theme.color.accent};
    border-radius: ${theme.radius.md};
  }
`;
