import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { RelativeTime } from './relative-time.tsx';
import { dateAndTime } from './time-format.ts';

afterEach(cleanup);

it('shows how long ago it was, and has the date and the time of day for printed pages', () => {
  const time = new Date(Date.now() - 5 * 60_000).toISOString();
  const { container } = render(<RelativeTime time={time} />);
  expect(screen.getByText(/^[45] minutes ago$/)).toBeDefined();
  expect(container.textContent).toMatch(/^[45] minutes ago$/);
  expect(container.querySelector('[data-text]')?.getAttribute('data-text')).toBe(dateAndTime(time));
  expect(dateAndTime(new Date(2026, 10, 20, 12, 5))).toMatch(/Nov.*2026, \d+:05/);
});
