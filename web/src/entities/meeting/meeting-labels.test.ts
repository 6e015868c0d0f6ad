import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence';
import { describe, expect, it } from '@jest/globals';
import { browserTimeZone } from '#lib/time-zone.ts';
import { rangeInMeetingZone, timeInMeetingZone, timeRange } from './meeting-labels.ts';
import { recurrenceLabel } from './recurrence-label.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

describe('meeting labels', () => {
  it('names the end day only if it differs from the start day', () => {
    expect(timeRange({ startTime: at(20, 9), endTime: at(20, 10) })).not.toContain('2026');
    expect(timeRange({ startTime: at(20, 23), endTime: at(21, 1) })).toContain('2026');
  });

  it("shows the time in the meeting's zone only if it differs from the browser's", () => {
    const startTime = at(20, 9);
    expect(timeInMeetingZone({ startTime, timezone: browserTimeZone() })).toBeUndefined();
    expect(timeInMeetingZone({ startTime, timezone: 'Pacific/Kiritimati' })).toMatch(/ in Pacific\/Kiritimati$/);
  });

  it("shows the time range in the meeting's zone, with the day if that differs", () => {
    const hour = { startTime: '2026-11-20T09:00:00.000Z', endTime: '2026-11-20T10:00:00.000Z' };
    expect(rangeInMeetingZone({ ...hour, timezone: browserTimeZone() })).toBeUndefined();
    expect(rangeInMeetingZone({ ...hour, timezone: 'Asia/Kathmandu' })).toBe('2:45 to 3:45 PM in Asia/Kathmandu');
    expect(rangeInMeetingZone({ ...hour, timezone: 'Pacific/Kiritimati' })).toMatch(/ to .* in Pacific\/Kiritimati$/);
    expect(rangeInMeetingZone({ ...hour, timezone: 'Europe/Atlantis' })).toBe('the time zone Europe/Atlantis');
  });

  it('names only the zone if the browser does not know it', () => {
    expect(timeInMeetingZone({ startTime: at(20, 9), timezone: 'Europe/Atlantis' })).toBe(
      'the time zone Europe/Atlantis',
    );
  });

  it('shows the frequency and end date of a series', () => {
    const nonrecurring = { recurringFrequency: null, recurrence: null, recurringEndDate: null };
    const start = { startTime: at(20, 9), timezone: browserTimeZone() };
    const recurrence = { ...DEFAULT_RECURRENCE, day: '2026-11-20' };
    expect(recurrenceLabel({ ...start, ...nonrecurring })).toBeUndefined();
    const weekly = { ...start, ...nonrecurring, recurringFrequency: 'weekly', recurrence } as const;
    expect(recurrenceLabel(weekly)).toBe('Repeats every week');
    expect(recurrenceLabel({ ...weekly, recurringFrequency: 'daily', recurringEndDate: '2030-11-11' })).toMatch(
      /^Repeats every day until .*2030/,
    );
    const monthly = { ...weekly, recurringFrequency: 'monthly' } as const;
    expect(recurrenceLabel(monthly)).toBe('Repeats every month on the 20th');
    // The day follows the rule in the series' zone, even if this occurrence was moved.
    const elsewhere = { timezone: 'Pacific/Kiritimati', startTime: '2026-11-20T12:00:00.000Z' };
    expect(recurrenceLabel({ ...monthly, ...elsewhere, recurrence: { ...recurrence, day: '2026-11-21' } })).toMatch(
      /^Repeats every month on the 21st( in Pacific\/Kiritimati)?$/,
    );
  });
});
