import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { SearchPanel } from './search-panel.tsx';

let stop: () => Promise<void> = async () => undefined;
let closeCount = 0;
let searches: string[] = [];

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  closeCount = 0;
  searches = [];
  ({ stop } = await startApi(() => ({
    status: 200,
    body: { data: [], total: 0, page: 1, totalPages: 0, next: null },
  })));
  render(
    <SearchPanel
      query="has:file plan"
      conversations={[]}
      onSearch={(query) => searches.push(query)}
      onOpen={() => undefined}
      onClose={() => (closeCount += 1)}
    />,
    withQueryCache,
  );
});

afterEach(async () => {
  cleanup();
  await stop();
});

it('Escape closes the search, except where it ends a composition', () => {
  const field = screen.getByRole('combobox');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(closeCount).toBe(0);
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(closeCount).toBe(1);
});

it('removing a filter keeps focus in the search', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter has' }));
  expect(searches).toEqual(['plan']);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Search messages' }));
});

it('the shortcut of the search returns to its field, also on a keyboard with other letters', () => {
  const field = screen.getByRole<HTMLInputElement>('combobox');
  field.blur();
  fireEvent.keyDown(window, { key: 'А', code: 'KeyF', ctrlKey: true, shiftKey: true });
  expect(document.activeElement).toBe(field);
});
