import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { UserFilter } from './user-filter.tsx';

const ada = buildUser('a');
const bob = buildUser('b');
const zoe = buildUser('c', { firstName: 'Zoe' });

let release: () => void;
let stop: () => Promise<void>;

/** The search returns at most two users and waits for a gate; lookups by id respond immediately. */
beforeEach(async () => {
  act(() => signInAs(ada));
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  ({ stop } = await startApi(async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const user = [ada, bob, zoe].find(({ _id }) => pathname.endsWith(_id));
    if (user) return { status: 200, body: user };
    await promise;
    const search = searchParams.get('search') ?? '';
    const data = [ada, bob, zoe].filter(({ firstName }) => firstName.startsWith(search)).slice(0, 2);
    return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function Filter({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial);
  return <UserFilter label="Colleague" placeholder="Which colleague?" value={value} onChange={setValue} />;
}

function open(initial: string) {
  render(
    <SWRConfig value={swrConfig}>
      <Filter initial={initial} />
    </SWRConfig>,
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Colleague/ });
const optionTexts = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

it('the user filter lists a selected user once', async () => {
  open(ada._id);
  await waitFor(() => expect(field().value).toBe('A Example'));
  release();
  await userEvent.click(screen.getByRole('button', { name: /Show choices for Colleague/ }));
  await waitFor(() => expect(optionTexts()).toEqual(['A Example', 'B Example']));
});

it('the user filter keeps the selected user next to the first results, and drops the previous one', async () => {
  release();
  open(zoe._id);
  await waitFor(() => expect(field().value).toBe('Zoe Example'));
  await userEvent.click(screen.getByRole('button', { name: /Show choices for Colleague/ }));
  await waitFor(() => expect(optionTexts()).toEqual(['Zoe Example', 'A Example', 'B Example']));
  await userEvent.click(screen.getByRole('option', { name: 'B Example' }));
  await waitFor(() => expect(field().value).toBe('B Example'));
  await userEvent.click(screen.getByRole('button', { name: /Show choices for Colleague/ }));
  expect(optionTexts()).toEqual(['A Example', 'B Example']);
});
