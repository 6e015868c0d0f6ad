import { describe, expect, it } from '@jest/globals';
import { createAxis } from './axis.ts';
import { type CalendarEvent, toColumnItems } from './calendar-event.ts';
import type { Arrow } from './span.ts';
import { HOUR_MS, movedInHours, movedInMonth, resizedTo, snapped } from './span.ts';
import { nearest, type Stop, stepInHours, stepInMonth, stopsOfDay, stopsOfHours } from './stops.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
const event = (id: string, start: number, hours = 1): CalendarEvent => ({
  id,
  title: id,
  start,
  end: start + hours * HOUR_MS,
  meeting: null,
});

const EVENTS = [event('stand-up', at(24, 9), 0.25), event('review', at(24, 10), 1.5), event('late', at(24, 23), 2)];
const axis = createAxis(['2026-11-24', '2026-11-25']);
const HOURS = axis.days.map((day) => stopsOfHours(day, toColumnItems(day, EVENTS)));
const [tuesday = [], wednesday = []] = HOURS;
const findStop = (stops: readonly Stop[], id: string) => {
  const stop = stops.find((candidate) => candidate.id === id);
  if (!stop) throw new Error(`no stop for ${id}`);
  return stop;
};
const describeStop = ({ kind, id, at: instant }: Stop) =>
  kind === 'slot' ? new Date(instant).toTimeString().slice(0, 5) : id || kind;
const describeStep = (step: ReturnType<typeof stepInHours>) =>
  step && 'stop' in step ? describeStop(step.stop) : step;

describe('keyboard stops', () => {
  it('are the events and free half hours of a day', () => {
    expect(tuesday.slice(17, 24).map(describeStop)).toEqual([
      '08:30',
      'stand-up',
      '09:30',
      'review',
      '11:30',
      '12:00',
      '12:30',
    ]);
    expect(wednesday.slice(0, 2).map(describeStop)).toEqual(['late', '01:00']);
  });

  it('lead along the day, and to the same time on adjacent days', () => {
    const go = (stop: Stop, arrow: Arrow) => describeStep(stepInHours(HOURS, stop, arrow));
    const review = findStop(tuesday, 'review');
    expect([go(review, 'ArrowUp'), go(review, 'ArrowDown'), go(review, 'ArrowRight')]).toEqual([
      '09:30',
      '11:30',
      '10:00',
    ]);
    expect(go(review, 'ArrowLeft')).toEqual({ direction: -1, index: 1 });
    expect(describeStep(stepInHours(HOURS, findStop(wednesday, 'late'), 'ArrowRight'))).toEqual({
      direction: 1,
      index: 0,
    });
    expect(go(tuesday[0] ?? review, 'ArrowUp')).toBeUndefined();
    expect(nearest(wednesday, 0.2)?.id).toBe('late');
  });

  it("lead from day to day in a month, and along a day's events once one is focused", () => {
    const bounds = { start: 0, end: 0 };
    const days = Array.from({ length: 14 }, (_, index) =>
      stopsOfDay(`2026-11-${String(index + 1).padStart(2, '0')}`, bounds, index === 3 ? EVENTS : [], index === 3),
    );
    const go = (stop: Stop | undefined, arrow: Arrow) => {
      const step = stop && stepInMonth(days, stop, arrow);
      return step && 'stop' in step ? `${step.stop.day.slice(8)} ${describeStop(step.stop)}` : step;
    };
    const [day, first, , , moreStop] = days[3] ?? [];
    expect([go(day, 'ArrowDown'), go(day, 'ArrowRight'), go(day, 'ArrowUp')]).toEqual([
      '11 day',
      '05 day',
      { direction: -1, index: 10 },
    ]);
    expect([go(first, 'ArrowDown'), go(first, 'ArrowUp'), go(moreStop, 'ArrowUp')]).toEqual([
      '04 review',
      '04 day',
      '04 late',
    ]);
    expect(go(moreStop, 'ArrowDown')).toBe('11 day');
  });
});

describe('moving by keyboard', () => {
  const hour = { start: at(24, 10), end: at(24, 11) };

  it('moves by 15 minutes and by days; Shift moves only the end', () => {
    expect(movedInHours(hour, 'ArrowDown', false)).toEqual({ start: at(24, 10, 15), end: at(24, 11, 15) });
    expect(movedInHours(hour, 'ArrowLeft', false)).toEqual({ start: at(23, 10), end: at(23, 11) });
    expect(movedInHours(hour, 'ArrowDown', true)).toEqual({ start: at(24, 10), end: at(24, 11, 15) });
    expect(resizedTo(hour, at(24, 9))).toEqual({ start: at(24, 10), end: at(24, 10, 15) });
    expect(movedInMonth(hour, 'ArrowDown')).toEqual({ start: at(31, 10), end: at(31, 11) });
    expect(snapped(at(24, 10, 8))).toBe(at(24, 10, 15));
  });
});
