import { CalendarDate } from '@internationalized/date';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Calendar } from './calendar.tsx';

afterEach(cleanup);

const pickedDays: string[] = [];

function show(): void {
  pickedDays.length = 0;
  render(
    <Calendar
      defaultValue={new CalendarDate(2026, 11, 20)}
      onChange={(date) => pickedDays.push(date.toString())}
      markedDays={{ days: new Set(['2026-11-11']), description: 'has meetings' }}
    />,
  );
}

const day = (name: RegExp) => screen.getByRole('button', { name });

describe('the calendar', () => {
  it('starts its weeks on Sunday', () => {
    show();
    const weekdays = [...screen.getByRole('grid').querySelectorAll('th')].map((head) => head.textContent);
    expect(weekdays).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
  });

  it('announces the marks of marked days only', () => {
    show();
    expect(screen.getAllByRole('button', { name: /has meetings/ })).toEqual([
      day(/^Wednesday, November 11, 2026, has meetings$/),
    ]);
  });

  it('moves across months with the arrow keys, and selects with Enter', async () => {
    show();
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(day(/November 20, 2026/));
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}{Enter}');
    expect(pickedDays).toEqual(['2026-12-05']);
  });

  it('changes the month by its buttons', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Previous month' }));
    await userEvent.click(day(/October 3, 2026/));
    expect(pickedDays).toEqual(['2026-10-03']);
  });
});
