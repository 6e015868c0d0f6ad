import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { toText } from './jcal.ts';
import { vtimezone } from './vtimezone.ts';

const FROM = new Date('2026-11-19T09:00:00.000Z');

const writeZone = (zone: string, from = FROM) => toText(vtimezone(zone, from));

function readZone(zone: string, from?: Date): ICAL.Timezone {
  return new ICAL.Timezone(new ICAL.Component(ICAL.parse(writeZone(zone, from))));
}

function wallClock(zone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return format.format(at);
}

function readInstant(zone: ICAL.Timezone, local: string): number {
  const time = ICAL.Time.fromDateTimeString(local.replace(' ', 'T'));
  time.zone = zone;
  return time.toUnixTime() * 1000;
}

describe('vtimezone', () => {
  it.each([
    'Europe/Berlin',
    'Europe/Dublin',
    'America/New_York',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'Asia/Kolkata',
    'Asia/Tokyo',
    'Africa/Casablanca',
    'Africa/Lagos',
  ])('converts local times of the next three years in %s like the runtime', (zone) => {
    const parsedZone = readZone(zone);
    const mismatches: string[] = [];
    for (let week = 0; week < 156; week += 1) {
      const at = new Date(FROM.getTime() + week * 7 * 24 * 60 * 60_000);
      const local = wallClock(zone, at);
      if (readInstant(parsedZone, local) !== at.getTime()) mismatches.push(`${local} ${zone}`);
    }
    expect(mismatches).toEqual([]);
  });

  it.each([
    ['Pacific/Auckland', '2027-04-03T14:00:00Z'],
    ['Europe/Berlin', '2027-03-28T01:00:00Z'],
    ['Europe/Berlin', '2027-10-31T01:00:00Z'],
  ])('is correct in %s if it begins at the transition at %s', (zone, transition) => {
    const from = new Date(transition);
    const later = new Date(from.getTime() + 60 * 24 * 60 * 60_000);
    expect(readInstant(readZone(zone, from), wallClock(zone, later))).toBe(later.getTime());
  });

  it('expresses regular transitions as rules', () => {
    const text = writeZone('Europe/Berlin');
    expect(text).toContain('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU');
    expect(text).toContain('RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU');
    expect(writeZone('America/New_York')).toContain('RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU');
  });

  it('writes no rule for a zone without transitions', () => {
    expect(writeZone('Asia/Kolkata')).toContain('TZOFFSETTO:+0530');
    expect(writeZone('Asia/Kolkata')).not.toContain('RRULE');
  });
});
