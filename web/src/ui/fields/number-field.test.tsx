import '../../../test/browser-gaps.ts';
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { NumberField } from './number-field.tsx';

afterEach(cleanup);

it('is changed by its keys, and not by the wheel that scrolls past it while it has the focus', async () => {
  const told: (number | null)[] = [];
  render(<NumberField label="Budget" value={12_500} onChange={(value) => told.push(value)} />);
  const field = screen.getByRole('textbox', { name: 'Budget' });
  act(() => field.focus());
  // Whatever takes the wheel keeps the page from scrolling, too.
  expect(fireEvent.wheel(field, { deltaY: 100 })).toBe(true);
  fireEvent.wheel(field, { deltaY: -100 });
  expect(told).toEqual([]);
  await userEvent.keyboard('{ArrowUp}');
  expect(told).toEqual([12_501]);
});
