import { useNow } from '#lib/hooks/use-now.ts';
import { PrintedText } from './printed-text.tsx';
import { dateAndTime, formatRelativeTime, fullTime } from './time-format.ts';

/** '3 minutes ago'; printed pages show the date and the time of day. */
export function RelativeTime({ time }: { time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={fullTime(time)}>
      <PrintedText text={formatRelativeTime(time, now)} printed={dateAndTime(time)} />
    </time>
  );
}
