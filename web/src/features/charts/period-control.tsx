import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { SegmentedControl } from '#ui/segmented-control.tsx';

const PERIODS = [
  { key: '30', label: '30 days' },
  { key: '90', label: '3 months' },
  { key: '365', label: '1 year' },
] as const;

type PeriodKey = (typeof PERIODS)[number]['key'];

/** The period of charts in days, which is in the URL, and its control. */
export function usePeriod(initial: PeriodKey) {
  const [{ period }, setState] = useUrlState({ period: initial as string });
  const selected = PERIODS.find(({ key }) => key === period)?.key ?? initial;
  const control = (
    <SegmentedControl
      label="Period"
      items={PERIODS}
      selected={selected}
      onSelect={(key) => setState({ period: key }, 'push')}
    />
  );
  return { days: Number(selected), control };
}
