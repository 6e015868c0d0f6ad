import { DEFAULT_PREFERENCES } from '@atrium/proto-events/preferences';
import { describe, expect, it } from '@jest/globals';
import { findRemindedDates, toLocalTime } from './reminder-times.ts';

const find = (at: string, { timezone = 'Europe/Berlin', preferences = {} } = {}) =>
  findRemindedDates({ preferences }, toLocalTime(timezone, new Date(at)));

/** 2026-11-26 is a Thursday, on which Berlin is one hour ahead of UTC. */
describe('the dates of which a user is reminded', () => {
  it('are today and the next working day, for an hour after the start of the day', () => {
    const dates = { from: '2026-11-26', to: '2026-11-27' };
    expect(find('2026-11-26T06:59:59Z')).toBeUndefined();
    expect(find('2026-11-26T07:00:00Z')).toEqual(dates);
    expect(find('2026-11-26T07:59:59Z')).toEqual(dates);
    expect(find('2026-11-26T08:00:00Z')).toBeUndefined();
  });

  it('include the weekend and Monday on a Friday, and are none on days off', () => {
    expect(find('2026-11-27T07:00:00Z')).toEqual({ from: '2026-11-27', to: '2026-11-30' });
    expect(find('2026-11-28T07:00:00Z')).toBeUndefined();
    expect(find('2026-11-29T07:00:00Z')).toBeUndefined();
  });

  it('are those of the day in the time zone of the user', () => {
    expect(find('2026-11-25T18:00:00Z', { timezone: 'Pacific/Kiritimati' })).toEqual({
      from: '2026-11-26',
      to: '2026-11-27',
    });
  });

  it('follow the working hours of the user', () => {
    const [, ...others] = DEFAULT_PREFERENCES.workingHours;
    const late = { workingHours: [null, ...others.slice(0, 2), { start: '12:30', end: '20:00' }, null, null, null] };
    expect(find('2026-11-26T07:00:00Z', { preferences: late })).toBeUndefined();
    expect(find('2026-11-26T11:30:00Z', { preferences: late })).toEqual({ from: '2026-11-26', to: '2026-12-01' });
  });

  it('are none without working days', () => {
    expect(find('2026-11-26T07:00:00Z', { preferences: { workingHours: Array(7).fill(null) } })).toBeUndefined();
  });
});
