import { ACCEPTED } from './accepted-breaking-changes.ts';
import { findReleaseBreaks, type Released } from './released.ts';

/** The breaking changes that were not accepted, and accepted ones that no longer exist. */
export function checkRelease(
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
