import { afterEach, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ShowMore } from './show-more.tsx';

afterEach(cleanup);

function List({ pages }: { pages: readonly string[][] }) {
  const [count, setCount] = useState(1);
  return (
    <>
      <ul>
        {pages.slice(0, count).flatMap((page) =>
          page.map((name) => (
            <li key={name}>
              <a href={`/${name}`}>{name}</a>
            </li>
          )),
        )}
      </ul>
      {count < pages.length && <ShowMore more={{ isLoading: false, load: () => setCount(count + 1) }} />}
      <button type="button">After</button>
    </>
  );
}

const pressShowMore = () => userEvent.click(screen.getByRole('button', { name: 'Show more' }));

it('focus stays on the button until everything is loaded, and then moves to the first item that was added', async () => {
  render(<List pages={[['a', 'b'], ['c'], ['d', 'e']]} />);
  await pressShowMore();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show more' }));
  await pressShowMore();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'd' }));
});
