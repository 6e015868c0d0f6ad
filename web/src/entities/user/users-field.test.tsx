import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { sampleUsers } from '#test/sample-users.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { displayName } from './user-labels.ts';
import { UsersField } from './users-field.tsx';

const [maya, lena, jonas, aiko] = sampleUsers.map(({ _id }) => _id) as [string, string, string, string];
/** The first page of users, without a search. */
const FIRST_PAGE = [maya, lena];

let requests: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  requests = [];
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(({ path }) => {
    const { searchParams } = new URL(path, 'http://localhost');
    requests.push(path);
    const data = sampleUsers.filter((user) => matchesQuery(user, searchParams));
    return { status: 200, body: { data, total: data.length, page: 1, limit: 100, totalPages: 1 } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function matchesQuery(user: (typeof sampleUsers)[number], query: URLSearchParams): boolean {
  const ids = query.get('ids');
  if (ids !== null) return ids.split(',').includes(user._id);
  const search = query.get('search') ?? '';
  return search ? displayName(user).toLowerCase().includes(search) : FIRST_PAGE.includes(user._id);
}

/** `restored` is set after mount, as a form does with a saved draft. */
function Team({ restored }: { restored: string[] }) {
  const [value, setValue] = useState<string[]>([]);
  return (
    <>
      <UsersField label="Team" value={value} onChange={setValue} />
      <button type="button" onClick={() => setValue(restored)}>
        Restore
      </button>
    </>
  );
}

async function restore(ids: string[]): Promise<void> {
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
  );
  render(<Team restored={ids} />, { wrapper });
  await screen.findByRole('option', { name: /Lena Brandt/ });
  await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
}

const search = async (text: string, expectedName: RegExp) => {
  await userEvent.clear(screen.getByRole('searchbox'));
  await userEvent.type(screen.getByRole('searchbox'), text);
  await screen.findByRole('option', { name: expectedName });
};
const chips = () => screen.getAllByRole('button', { name: /^Remove / }).map(({ textContent }) => textContent);
const requestsByIds = () => requests.filter((path) => path.includes('ids='));

it('the users field loads the names of restored users that are in no loaded list', async () => {
  await restore([jonas, lena]);
  await waitFor(() => expect(chips()).toEqual(['Jonas Seidel', 'Lena Brandt']));
  expect(requestsByIds()).toHaveLength(1);
  expect(requestsByIds()[0]).not.toContain(lena);
});

it('the users field keeps restored users visible by name when the search finds others', async () => {
  await restore([lena]);
  await search('aiko', /Aiko Nakamura/);
  expect(chips()).toEqual(['Lena Brandt']);
  await userEvent.click(screen.getByRole('option', { name: /Aiko Nakamura/ }));
  await search('tariq', /Tariq Khan/);
  expect(chips()).toEqual(['Lena Brandt', 'Aiko Nakamura']);
  for (const name of [/Lena Brandt/, /Aiko Nakamura/])
    expect(screen.getByRole('option', { name }).getAttribute('aria-selected')).toBe('true');
  expect(requestsByIds()).toEqual([]);
});

it('the users field requests no users by id if all selected ones are known', async () => {
  await restore([]);
  await search('aiko', /Aiko Nakamura/);
  await userEvent.click(screen.getByRole('option', { name: /Aiko Nakamura/ }));
  await userEvent.clear(screen.getByRole('searchbox'));
  await screen.findByRole('option', { name: /Maya Okafor/ });
  expect(chips()).toEqual([displayName(sampleUsers.find(({ _id }) => _id === aiko))]);
  expect(requestsByIds()).toEqual([]);
});
