import { ACCEPTED } from './accepted-breaking-changes.ts';
import { findReleaseBreaks, type Released } from './released.ts';

/** What `now` breaks and nobody has accepted, and what is accepted without being there. */
export function judgeRelease(
  released: Released,
  now: Released,
  accepted: Readonly<Record<string, string>> = ACCEPTED,
): { broken: string[]; stale: string[] } {
  const breaks = findReleaseBreaks(released, now);
  const isOf = (text: string, start: string) => text.startsWith(`${start}. `);
  return {
    broken: breaks.filter((text) => !Object.keys(accepted).some((start) => isOf(text, start))),
    stale: Object.keys(accepted).filter((start) => !breaks.some((text) => isOf(text, start))),
  };
}
