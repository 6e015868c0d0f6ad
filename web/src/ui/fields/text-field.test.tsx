import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { TextField } from './text-field.tsx';

afterEach(cleanup);

it.each([
  ['abcd', '1 character too long'],
  ['abcde', '2 characters too long'],
  ['\u0958\u0958', '1 character too long'],
])('a text field reports by how much "%s" exceeds three characters', (value, description) => {
  render(<TextField label="Word" value={value} onChange={() => undefined} maxLength={3} />);
  const field = screen.getByRole('textbox', { name: 'Word', description });
  expect(field.getAttribute('aria-invalid')).toBe('true');
});
