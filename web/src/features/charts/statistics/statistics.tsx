import { styled } from 'styled-components';
import { useToday } from '#lib/hooks/use-now.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { addDays } from '#lib/time/day.ts';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { ActivityPerDay } from './activity-per-day.tsx';
import { StorageOverTime } from './storage-over-time.tsx';
import { UsersOverTime } from './users-over-time.tsx';

const PERIODS = [
  { key: '30', label: '30 days' },
  { key: '90', label: '3 months' },
  { key: '365', label: '1 year' },
] as const;

const DEFAULTS = { period: '30' };

/** More columns than these would be too narrow. */
const MAX_ACTIVITY_DAYS = 90;

export function Statistics() {
  const [{ period }, setState] = useUrlState(DEFAULTS);
  const selected = PERIODS.find(({ key }) => key === period)?.key ?? '30';
  const today = useToday();
  const shown = { from: addDays(today, 1 - Number(selected)), to: today };
  return (
    <section aria-label="Statistics">
      <VisuallyHidden as="h2">Charts</VisuallyHidden>
      <Periods>
        <SegmentedControl
          label="Period"
          items={PERIODS}
          selected={selected}
          onSelect={(key) => setState({ period: key }, 'push')}
        />
      </Periods>
      <Grid>
        <UsersOverTime period={shown} />
        <StorageOverTime period={shown} />
        <ActivityPerDay days={Math.min(Number(selected), MAX_ACTIVITY_DAYS)} />
      </Grid>
    </section>
  );
}

const Periods = styled.div`
  margin-bottom: ${theme.space[4]};
`;

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[4]};
  > :last-child {
    grid-column: 1 / -1;
  }
  @media (max-width: 959px) {
    grid-template-columns: minmax(0, 1fr);
  }
`;
