import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { DatePicker } from './date-picker.tsx';

afterEach(cleanup);

const reportedDays: string[] = [];

function DueDate({ isRequired = false, initialDay = '2026-11-20' }: { isRequired?: boolean; initialDay?: string }) {
  const [day, setDay] = useState(initialDay);
  const onChange = (next: string) => {
    reportedDays.push(next);
    setDay(next);
  };
  return (
    <>
      <DatePicker label="Due date" value={day} onChange={onChange} isRequired={isRequired} firstDay="2026-11-10" />
      <output>{day || 'none'}</output>
      <button type="button">Next field</button>
    </>
  );
}

function show(props: Parameters<typeof DueDate>[0] = {}): void {
  reportedDays.length = 0;
  render(<DueDate {...props} />);
}

const field = () => screen.getByRole('group', { name: 'Due date' });
const part = (name: string) => within(field()).getByRole('spinbutton', { name: `${name}, Due date` });
const clearButton = () => screen.queryByRole('button', { name: 'Clear Due date' });
const currentDay = () => screen.getByRole('status').textContent;
const openMonth = () => userEvent.click(within(field()).getByRole('button', { name: 'Calendar Due date' }));
const findDay = (name: string) => screen.findByRole('button', { name: new RegExp(name) });
const leave = () => userEvent.click(screen.getByRole('button', { name: 'Next field' }));

describe('a picked day', () => {
  it.each([true, false])('stays selected when it is pressed again (required: %s)', async (isRequired) => {
    show({ isRequired });
    await openMonth();
    await userEvent.click(await findDay('November 20, 2026'));
    expect(currentDay()).toBe('2026-11-20');
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('is reported immediately', async () => {
    show({ isRequired: true });
    await openMonth();
    await userEvent.click(await findDay('November 27, 2026'));
    expect(currentDay()).toBe('2026-11-27');
  });

  it('cannot be before the first day', async () => {
    show();
    await openMonth();
    await userEvent.click(await findDay('November 9, 2026'));
    expect(reportedDays).toEqual([]);
    await userEvent.click(await findDay('November 10, 2026'));
    expect(reportedDays).toEqual(['2026-11-10']);
  });
});

describe('a typed day', () => {
  it('is reported once, on blur', async () => {
    show();
    await userEvent.click(part('month'));
    await userEvent.keyboard('12242027');
    expect(field().textContent).toContain('12/24/2027');
    expect(reportedDays).toEqual([]);
    await leave();
    expect(reportedDays).toEqual(['2027-12-24']);
  });

  it('is reported on Enter', async () => {
    show();
    await userEvent.click(part('day'));
    await userEvent.keyboard('03{Enter}');
    expect(reportedDays).toEqual(['2026-11-03']);
    expect(field().contains(document.activeElement)).toBe(true);
  });

  it('accepts a year of two digits', async () => {
    show({ initialDay: '' });
    await userEvent.click(part('month'));
    await userEvent.keyboard('122427');
    await leave();
    expect(reportedDays).toEqual(['2027-12-24']);
  });

  it('is reset to the previous one when it is left incomplete', async () => {
    show();
    await userEvent.click(part('day'));
    await userEvent.keyboard('{Backspace}{Backspace}');
    expect(field().textContent).toContain('dd');
    await leave();
    expect(reportedDays).toEqual([]);
    expect(field().textContent).toContain('11/20/2026');
  });

  it('is cleared by emptying each part', async () => {
    show();
    for (const name of ['day', 'month', 'year']) {
      await userEvent.click(part(name));
      await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}');
    }
    await leave();
    expect(reportedDays).toEqual(['']);
  });
});

describe('an optional day', () => {
  it('is cleared by a button, which moves focus to the field', async () => {
    show();
    await userEvent.click(clearButton() as HTMLElement);
    expect(currentDay()).toBe('none');
    expect(clearButton()).toBeNull();
    expect(document.activeElement).toBe(part('month'));
  });

  it('has no clear button when it is required', () => {
    show({ isRequired: true });
    expect(clearButton()).toBeNull();
  });
});
