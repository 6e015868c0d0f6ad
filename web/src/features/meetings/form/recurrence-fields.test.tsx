import { DEFAULT_RECURRENCE } from '@atrium/proto-events/recurrence/rule';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { monthlyOptions, nextMonthDays, type RecurrenceValue, toRule } from './form-recurrence.ts';
import { RecurrenceField } from './recurrence-fields.tsx';

afterEach(cleanup);

let value: RecurrenceValue;

function Field({ frequency, day, ...initial }: { frequency: string; day: string } & Partial<RecurrenceValue>) {
  const [state, onChange] = useState<RecurrenceValue>({ ...DEFAULT_RECURRENCE, ...initial });
  value = state;
  return (
    <RecurrenceField
      value={state}
      onChange={onChange}
      error={undefined}
      frequency={frequency}
      day={day}
      timezone={undefined}
    />
  );
}

describe('recurrence field', () => {
  it("selects the meeting's weekday, and further ones", async () => {
    render(<Field frequency="weekly" day="2031-11-17" />);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Monday' }).checked).toBe(true);
    screen.getByText('Repeats every week');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Thursday' }));
    expect(value.weekdays).toEqual(['mon', 'thu']);
    screen.getByText('Repeats every week on Monday and Thursday');
  });

  it("lists weekdays in the calendar's order, and keeps the rule's in week order", async () => {
    render(<Field frequency="weekly" day="2031-11-17" />);
    const names = screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'));
    expect([names[0], names[6]]).toEqual(['Sunday', 'Saturday']);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Sunday' }));
    expect(value.weekdays).toEqual(['mon', 'sun']);
  });

  it('shows which months are skipped, with the next dates', () => {
    render(<Field frequency="monthly" day="2030-12-31" />);
    screen.getByText('Months without a 31st are skipped. Next dates: Dec 31, 2030; Jan 31, 2031; Mar 31, 2031');
  });

  it('describes a monthly rule on the last day', () => {
    render(<Field frequency="monthly" day="2030-12-31" interval={3} monthlyOn="lastDay" />);
    screen.getByText('Repeats every 3 months on the last day');
  });
});

describe('monthly options', () => {
  it.each([
    ['2030-12-11', ['On the 11th', 'On the second Wednesday', 'On the last day']],
    ['2030-12-25', ['On the 25th', 'On the fourth Wednesday', 'On the last Wednesday', 'On the last day']],
    ['2030-12-31', ['On the 31st', 'On the last Tuesday', 'On the last day']],
  ])('match the day of a meeting on %s', (day, labels) => {
    expect(monthlyOptions(day).map(({ label }) => label)).toEqual(labels);
  });

  it("follow the meeting's day", () => {
    const last = { ...DEFAULT_RECURRENCE, monthlyOn: 'lastWeekday' as const };
    expect(toRule('monthly', last, '2030-12-11')?.monthlyOn).toBe('weekday');
    const third = { ...DEFAULT_RECURRENCE, monthlyOn: 'weekday' as const };
    expect(toRule('monthly', third, '2030-12-30')?.monthlyOn).toBe('lastWeekday');
  });

  it('skip years without February 29', () => {
    expect(nextMonthDays('2032-02-29', 12, 2)).toEqual(['2032-02-29', '2036-02-29']);
  });
});
