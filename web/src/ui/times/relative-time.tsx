import { useNow } from '#lib/hooks/use-now.ts';
import { formatRelativeTime, fullTime } from './time-format.ts';

export function RelativeTime({ time }: { time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={fullTime(time)}>
      {formatRelativeTime(time, now)}
    </time>
  );
}
