import { describe, expect, it } from '@jest/globals';
import { listGaps, splitAtGaps } from './gaps.ts';

const record = (...days: string[]) => days.map((day) => ({ day }));
const daysOf = (runs: readonly { day: string }[][]) => runs.map((run) => run.map(({ day }) => day));

describe('splitAtGaps', () => {
  it('keeps consecutive days in one run, also across months and changes of clocks', () => {
    const days = ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-31', '2026-11-01'];
    expect(daysOf(splitAtGaps(record(...days)))).toEqual([days.slice(0, 3), days.slice(3)]);
  });

  it('keeps several records of one day in one run', () => {
    expect(splitAtGaps(record('2026-11-01', '2026-11-01', '2026-11-02'))).toHaveLength(1);
  });

  it('returns a run for a single day between gaps', () => {
    expect(daysOf(splitAtGaps(record('2026-11-01', '2026-11-03', '2026-11-05')))).toEqual([
      ['2026-11-01'],
      ['2026-11-03'],
      ['2026-11-05'],
    ]);
  });

  it('returns no runs without records', () => {
    expect(splitAtGaps([])).toEqual([]);
  });
});

describe('listGaps', () => {
  it('lists the days between two records', () => {
    expect(listGaps(record('2026-02-27', '2026-03-02'))).toEqual([
      { before: { day: '2026-02-27' }, after: { day: '2026-03-02' }, missingDays: ['2026-02-28', '2026-03-01'] },
    ]);
  });

  it('lists none for consecutive days', () => {
    expect(listGaps(record('2026-02-27', '2026-02-28'))).toEqual([]);
  });
});
