import { styled } from 'styled-components';
import { useToday } from '#lib/hooks/use-now.ts';
import { addDays } from '#lib/time/day.ts';
import { theme } from '#ui/theme.ts';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';
import { usePeriod } from '../period-control.tsx';
import { ActivityPerDay } from './activity-per-day.tsx';
import { StorageOverTime } from './storage-over-time.tsx';
import { UsersOverTime } from './users-over-time.tsx';

/** More columns than these would be too narrow. */
const MAX_ACTIVITY_DAYS = 90;

export function Statistics() {
  const { days, control } = usePeriod('30');
  const today = useToday();
  const shown = { from: addDays(today, 1 - days), to: today };
  return (
    <section aria-label="Statistics">
      <VisuallyHidden as="h2">Charts</VisuallyHidden>
      <Periods>{control}</Periods>
      <Grid>
        <UsersOverTime period={shown} />
        <StorageOverTime period={shown} />
        <ActivityPerDay days={Math.min(days, MAX_ACTIVITY_DAYS)} />
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
  @media print, (max-width: 959px) {
    grid-template-columns: minmax(0, 1fr);
  }
`;
