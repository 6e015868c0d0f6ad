import { useNow } from '#lib/hooks/use-now.ts';
import { formatRelativeTime, fullTime } from './time-format.ts';

/** A relative time, or a date when far; the full time with its zone on hover. */
export function RelativeTime({ time }: { time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={fullTime(time)}>
      {formatRelativeTime(time, now)}
    </time>
  );
}
