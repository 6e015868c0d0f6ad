import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { NumberField } from './number-field.tsx';

afterEach(cleanup);

it('a number field changes with the arrow keys and ignores the mouse wheel while focused', async () => {
  const reportedValues: (number | null)[] = [];
  render(<NumberField label="Budget" value={12_500} onChange={(value) => reportedValues.push(value)} />);
  const field = screen.getByRole('textbox', { name: 'Budget' });
  act(() => field.focus());
  // A prevented wheel event would also keep the page from scrolling.
  expect(fireEvent.wheel(field, { deltaY: 100 })).toBe(true);
  fireEvent.wheel(field, { deltaY: -100 });
  expect(reportedValues).toEqual([]);
  await userEvent.keyboard('{ArrowUp}');
  expect(reportedValues).toEqual([12_501]);
});
