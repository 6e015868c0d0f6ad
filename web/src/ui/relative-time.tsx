import { describeTime, fullTime } from './time-words.ts';

/** A time in words when near, a date when far; the whole of it with its zone on hover. */
export function RelativeTime({ time, now = Date.now() }: { time: string; now?: number }) {
  return (
    <time dateTime={time} title={fullTime(time)}>
      {describeTime(time, now)}
    </time>
  );
}
