import { useRef, useState } from 'react';
import type { Day } from '../../lib/day.ts';

type Props = {
  value: Day | '';
  onChange: (day: Day | '') => void;
  /** Whether a part of the day is missing, which the day itself does not say: it stays what it was with all of them. */
  isUnfinished: () => boolean;
};

/** `26` is meant as 2026; a year of three digits is not written to its end. */
function wholeDay(day: Day | ''): Day | '' | undefined {
  const year = Number(day.slice(0, 4));
  if (!day || year >= 1000) return day;
  return year < 100 ? `${2000 + year}${day.slice(4)}` : undefined;
}

/**
 * A day while it is being typed, which the form hears of once the field is left: every digit makes another day, and none of those on
 * the way is meant. What is left unfinished gives way to the day that was there.
 */
export function useTypedDay({ value, onChange, isUnfinished }: Props) {
  const [typed, setTyped] = useState<Day | ''>();
  const [attempt, setAttempt] = useState(0);
  // Leaving follows a last change in the same moment, before anything is drawn.
  const latest = useRef(typed);
  const type = (day: Day | '' | undefined) => {
    latest.current = day;
    setTyped(day);
  };
  const tell = () => {
    const day = latest.current && wholeDay(latest.current);
    type(undefined);
    if (day !== undefined && day !== value) onChange(day);
  };
  return {
    shown: typed ?? value,
    /** Changes when what was left unfinished goes. */
    attempt,
    type,
    /** Before the field is left: what is still being typed stays. */
    confirm: () => isUnfinished() || tell(),
    leave: () => {
      if (!isUnfinished() || latest.current === '') return tell();
      type(undefined);
      setAttempt(attempt + 1);
    },
    choose: (day: Day | '') => {
      type(undefined);
      onChange(day);
    },
  };
}
