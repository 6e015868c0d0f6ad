import '../../../test/browser-gaps.ts';
import '../../../test/retry-timeouts.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { DatePicker } from './date-picker.tsx';

afterEach(cleanup);

const told: string[] = [];

function Due({ isRequired = false, given = '2026-11-20' }: { isRequired?: boolean; given?: string }) {
  const [day, setDay] = useState(given);
  const tell = (next: string) => {
    told.push(next);
    setDay(next);
  };
  return (
    <>
      <DatePicker label="Due date" value={day} onChange={tell} isRequired={isRequired} firstDay="2026-11-10" />
      <output>{day || 'none'}</output>
      <button type="button">Next field</button>
    </>
  );
}

function show(props: Parameters<typeof Due>[0] = {}): void {
  told.length = 0;
  render(<Due {...props} />);
}

const field = () => screen.getByRole('group', { name: 'Due date' });
const part = (name: string) => within(field()).getByRole('spinbutton', { name: `${name}, Due date` });
const clearButton = () => screen.queryByRole('button', { name: 'Clear Due date' });
const chosen = () => screen.getByRole('status').textContent;
const openMonth = () => userEvent.click(within(field()).getByRole('button', { name: 'Calendar Due date' }));
const dayOf = (name: string) => screen.findByRole('button', { name: new RegExp(name) });
const leave = () => userEvent.click(screen.getByRole('button', { name: 'Next field' }));

describe('a day that is picked', () => {
  it.each([true, false])('stays when it is pressed once more to confirm it (required: %s)', async (isRequired) => {
    show({ isRequired });
    await openMonth();
    await userEvent.click(await dayOf('November 20, 2026'));
    expect(chosen()).toBe('2026-11-20');
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('is told at once', async () => {
    show({ isRequired: true });
    await openMonth();
    await userEvent.click(await dayOf('November 27, 2026'));
    expect(chosen()).toBe('2026-11-27');
  });

  it('is none of those before the first', async () => {
    show();
    await openMonth();
    await userEvent.click(await dayOf('November 9, 2026'));
    expect(told).toEqual([]);
    await userEvent.click(await dayOf('November 10, 2026'));
    expect(told).toEqual(['2026-11-10']);
  });
});

describe('a day that is typed', () => {
  it('is told once, when the field is left', async () => {
    show();
    await userEvent.click(part('month'));
    await userEvent.keyboard('12242027');
    expect(field().textContent).toContain('12/24/2027');
    expect(told).toEqual([]);
    await leave();
    expect(told).toEqual(['2027-12-24']);
  });

  it('is told by Enter', async () => {
    show();
    await userEvent.click(part('day'));
    await userEvent.keyboard('03{Enter}');
    expect(told).toEqual(['2026-11-03']);
    expect(field().contains(document.activeElement)).toBe(true);
  });

  it('may have a year of two digits', async () => {
    show({ given: '' });
    await userEvent.click(part('month'));
    await userEvent.keyboard('122427');
    await leave();
    expect(told).toEqual(['2027-12-24']);
  });

  it('gives way to the one before where it is left unfinished', async () => {
    show();
    await userEvent.click(part('day'));
    await userEvent.keyboard('{Backspace}{Backspace}');
    expect(field().textContent).toContain('dd');
    await leave();
    expect(told).toEqual([]);
    expect(field().textContent).toContain('11/20/2026');
  });

  it('is taken away by emptying each part', async () => {
    show();
    for (const name of ['day', 'month', 'year']) {
      await userEvent.click(part(name));
      await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}');
    }
    await leave();
    expect(told).toEqual(['']);
  });
});

describe('a day that may be absent', () => {
  it('is taken away by a button, which leaves the focus in the field', async () => {
    show();
    await userEvent.click(clearButton() as HTMLElement);
    expect(chosen()).toBe('none');
    expect(clearButton()).toBeNull();
    expect(document.activeElement).toBe(part('month'));
  });

  it('has no such button where one is required', () => {
    show({ isRequired: true });
    expect(clearButton()).toBeNull();
  });
});
