import '../../../test/browser-gaps.ts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, configure, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { DatePicker } from './date-picker.tsx';

// As long as a busy machine may need to load the calendar.
configure({ asyncUtilTimeout: 20_000 });

afterEach(cleanup);

function Due({ isRequired }: { isRequired: boolean }) {
  const [day, setDay] = useState('2026-11-20');
  return (
    <>
      <DatePicker label="Due date" value={day} onChange={setDay} isRequired={isRequired} />
      <output>{day || 'none'}</output>
    </>
  );
}

const field = () => screen.getByRole('button', { name: /^Due date/ });
const chosen = () => screen.getByRole('status').textContent;

describe('a picker of days', () => {
  it.each([true, false])('keeps the day that is pressed once more to confirm it (required: %s)', async (isRequired) => {
    render(<Due isRequired={isRequired} />);
    await userEvent.click(field());
    await userEvent.click(await screen.findByRole('button', { name: /Nov 20|20 Nov/ }));
    expect(chosen()).toBe('2026-11-20');
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('takes another day', async () => {
    render(<Due isRequired />);
    await userEvent.click(field());
    await userEvent.click(await screen.findByRole('button', { name: /Nov 27|27 Nov/ }));
    expect(chosen()).toBe('2026-11-27');
  });

  it('offers to take a day away where none is needed, and keeps the focus on the field', async () => {
    render(<Due isRequired={false} />);
    await userEvent.click(screen.getByRole('button', { name: 'Clear Due date' }));
    expect(chosen()).toBe('none');
    expect(screen.queryByRole('button', { name: 'Clear Due date' })).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  it('offers no such thing for a day that has to be', () => {
    render(<Due isRequired />);
    expect(screen.queryByRole('button', { name: 'Clear Due date' })).toBeNull();
  });
});
