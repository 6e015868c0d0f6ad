import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useRowFocus } from './use-row-focus.ts';

afterEach(cleanup);

/** Imitates the card of open decisions, which is removed with its last row. */
function Rows({ ids, settled = [] }: { ids: readonly string[]; settled?: readonly string[] }) {
  const list = useRowFocus(ids);
  return (
    <main tabIndex={-1}>
      <button type="button">Elsewhere</button>
      {ids.length > 0 && (
        <ul {...list}>
          {ids.map((id) => (
            <li key={id}>
              <a href="#meeting">Meeting of {id}</a>
              {!settled.includes(id) && <button type="button">{id}</button>}
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus());
const focusedText = () => document.activeElement?.textContent;

it('useRowFocus moves focus to the next row, the previous one, or the page when a row is removed', () => {
  const { rerender } = render(<Rows ids={['a', 'b', 'c']} />);
  focus('b');
  rerender(<Rows ids={['a', 'c']} />);
  expect(focusedText()).toBe('c');
  rerender(<Rows ids={['a']} />);
  expect(focusedText()).toBe('a');
  rerender(<Rows ids={[]} />);
  expect(document.activeElement?.tagName).toBe('MAIN');
});

it('useRowFocus keeps focus in a row whose button was removed', () => {
  const { rerender } = render(<Rows ids={['a', 'b']} />);
  focus('a');
  rerender(<Rows ids={['a', 'b']} settled={['a']} />);
  expect(focusedText()).toBe('Meeting of a');
});

it('useRowFocus moves focus from its own row even if rows above were removed first', () => {
  const { rerender } = render(<Rows ids={['a', 'b', 'c', 'd']} />);
  focus('c');
  rerender(<Rows ids={['c', 'd', 'e']} />);
  expect(focusedText()).toBe('c');
  rerender(<Rows ids={['d', 'e']} />);
  expect(focusedText()).toBe('d');
});

it('useRowFocus leaves focus alone if it has moved elsewhere', () => {
  const { rerender } = render(<Rows ids={['a', 'b']} />);
  focus('a');
  focus('Elsewhere');
  rerender(<Rows ids={['b']} />);
  expect(focusedText()).toBe('Elsewhere');
  focus('b');
  act(() => screen.getByRole('button', { name: 'b' }).blur());
  rerender(<Rows ids={[]} />);
  expect(document.activeElement).toBe(document.body);
});
