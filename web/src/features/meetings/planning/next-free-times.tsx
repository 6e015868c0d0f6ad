import { useFreeTimes } from '#entities/meeting/use-planning.ts';
import { formatTime, formatTimeRange } from '#lib/formats.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Inline } from '#ui/layout/primitives.ts';

type Props = {
  people: string[];
  /** The start of the search, and a meeting to ignore. */
  from: string;
  durationMinutes: number;
  except: string | null;
  onPick: (time: { start: string; end: string }) => void;
};

const dayLabel = (time: string) => formatTime(time, { weekday: 'short', day: 'numeric', month: 'short' });

/** The next times when everyone is free, as buttons; a text if there are none. */
export function NextFreeTimes({ onPick, ...question }: Props) {
  const { data, error } = useFreeTimes(question);
  if (error) return <Caption role="status">The next free times could not be loaded. Retrying…</Caption>;
  if (!data) return <Caption role="status">Looking for times when everyone is free…</Caption>;
  if (data.message !== null) return <Caption role="status">{data.message}</Caption>;
  return (
    <Inline as="ul" $gap={2} $wraps aria-label="Next times everyone is free">
      {data.data.map((time) => (
        <li key={time.start}>
          <Button size="sm" onPress={() => onPick(time)}>
            {`${dayLabel(time.start)}, ${formatTimeRange(time.start, time.end)}`}
          </Button>
        </li>
      ))}
    </Inline>
  );
}
