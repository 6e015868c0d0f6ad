import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useRowFocus } from './use-row-focus.ts';

afterEach(cleanup);

/** Like the card of open decisions, which is removed with its last row. */
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
const focused = () => document.activeElement?.textContent;

it('moves the focus to the next row, the previous one, or the page when a row is removed', () => {
  const { rerender } = render(<Rows ids={['a', 'b', 'c']} />);
  focus('b');
  rerender(<Rows ids={['a', 'c']} />);
  expect(focused()).toBe('c');
  rerender(<Rows ids={['a']} />);
  expect(focused()).toBe('a');
  rerender(<Rows ids={[]} />);
  expect(document.activeElement?.tagName).toBe('MAIN');
});

it('keeps the focus in a row whose button was removed', () => {
  const { rerender } = render(<Rows ids={['a', 'b']} />);
  focus('a');
  rerender(<Rows ids={['a', 'b']} settled={['a']} />);
  expect(focused()).toBe('Meeting of a');
});

it('follows its row when rows above are removed first', () => {
  const { rerender } = render(<Rows ids={['a', 'b', 'c', 'd']} />);
  focus('c');
  rerender(<Rows ids={['c', 'd', 'e']} />);
  expect(focused()).toBe('c');
  rerender(<Rows ids={['d', 'e']} />);
  expect(focused()).toBe('d');
});

it('leaves the focus alone if it has moved elsewhere', () => {
  const { rerender } = render(<Rows ids={['a', 'b']} />);
  focus('a');
  focus('Elsewhere');
  rerender(<Rows ids={['b']} />);
  expect(focused()).toBe('Elsewhere');
  focus('b');
  act(() => screen.getByRole('button', { name: 'b' }).blur());
  rerender(<Rows ids={[]} />);
  expect(document.activeElement).toBe(document.body);
});
