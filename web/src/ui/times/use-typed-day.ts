import { useRef, useState } from 'react';
import type { Day } from '#lib/day.ts';

type Props = {
  value: Day | '';
  onChange: (day: Day | '') => void;
  /** Whether a part of the day is missing; React Aria keeps the last complete day. */
  isUnfinished: () => boolean;
};

/** `26` means 2026; a year of three digits is incomplete. */
function wholeDay(day: Day | ''): Day | '' | undefined {
  const year = Number(day.slice(0, 4));
  if (!day || year >= 1000) return day;
  return year < 100 ? `${2000 + year}${day.slice(4)}` : undefined;
}

/**
 * A day being typed, reported on blur, since every digit makes another valid day. An incomplete day is reset to the
 * previous one.
 */
export function useTypedDay({ value, onChange, isUnfinished }: Props) {
  const [typed, setTyped] = useState<Day | ''>();
  const [attempt, setAttempt] = useState(0);
  // Blur may follow a change before the next render.
  const latest = useRef(typed);
  const type = (day: Day | '' | undefined) => {
    latest.current = day;
    setTyped(day);
  };
  const report = () => {
    const day = latest.current && wholeDay(latest.current);
    type(undefined);
    if (day !== undefined && day !== value) onChange(day);
  };
  return {
    shown: typed ?? value,
    /** Changes when an incomplete day is reset. */
    attempt,
    type,
    /** On Enter, before blur: an incomplete day stays. */
    confirm: () => isUnfinished() || report(),
    leave: () => {
      if (!isUnfinished() || latest.current === '') return report();
      type(undefined);
      setAttempt(attempt + 1);
    },
    choose: (day: Day | '') => {
      type(undefined);
      onChange(day);
    },
  };
}
