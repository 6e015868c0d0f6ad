import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { SWRConfig } from 'swr';
import { isNavigationBlocked } from '#lib/forms/unsaved-changes.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { sampleUsers } from '#test/sample-users.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { AddUsers } from './add-users.tsx';
import { displayName } from './user-labels.ts';

let stop: () => Promise<void>;
let requests: string[];
let additions: string[][];
/** Each addition waits for this gate. */
let gate: (name: string) => Promise<void>;

const nameOf = (id: string) => displayName(sampleUsers.find(({ _id }) => _id === id));

beforeEach(async () => {
  requests = [];
  additions = [];
  gate = () => Promise.resolve();
  act(() => signInAs(buildUser('a')));
  const body = { data: sampleUsers, total: sampleUsers.length, page: 1, limit: 100, totalPages: 1 };
  ({ stop } = await startApi(() => ({ status: 200, body })));
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

/** Adds users to its team, as the screens do. */
function Team() {
  const [team, setTeam] = useState<string[]>([]);
  const add = async (id: string) => {
    requests.push(nameOf(id));
    await gate(nameOf(id));
    setTeam((previous) => [...previous, id]);
  };
  return (
    <AddUsers
      label="Add people"
      draftKey="team"
      excludedIds={team}
      add={add}
      onAdded={(addedUsers) => additions.push(addedUsers.map(displayName))}
      failure="Failed to add"
    />
  );
}

async function choose(...names: string[]): Promise<void> {
  for (const name of names) await userEvent.click(await screen.findByRole('option', { name: new RegExp(name) }));
}

async function open(...names: string[]): Promise<void> {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
  );
  render(<Team />, { wrapper });
  await press('Add people');
  await choose(...names);
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const opener = () => screen.queryByRole('button', { name: 'Add people' });
const chips = () => screen.queryAllByRole('button', { name: /^Remove / }).map(({ textContent }) => textContent);

describe('AddUsers', () => {
  it('adds users one by one only after submitting, and calls onAdded once', async () => {
    await open('Lena Brandt', 'Tariq Khan');
    expect(requests).toEqual([]);
    expect(isNavigationBlocked()).toBe(true);
    await press('Add');
    await waitFor(() => expect(additions).toEqual([['Lena Brandt', 'Tariq Khan']]));
    expect(isNavigationBlocked()).toBe(false);
    expect(document.activeElement).toBe(opener());
  });

  it('keeps the remaining users selected when one addition fails', async () => {
    gate = (name) => (name === 'Tariq Khan' ? Promise.reject(new Error('no')) : Promise.resolve());
    await open('Lena Brandt', 'Tariq Khan');
    await press('Add');
    await waitFor(() => expect(additions).toEqual([['Lena Brandt']]));
    expect(chips()).toEqual(['Tariq Khan']);
    gate = () => Promise.resolve();
    await press('Add');
    await waitFor(() => expect(additions.at(-1)).toEqual(['Tariq Khan']));
    expect(opener()).not.toBeNull();
  });

  it('keeps users selected while others are being added, and adds no one twice', async () => {
    const { promise, resolve: openGate } = Promise.withResolvers<void>();
    gate = () => promise;
    await open('Lena Brandt');
    await press('Add');
    await press('Add');
    await choose('Aiko Nakamura');
    openGate();
    await waitFor(() => expect(additions).toEqual([['Lena Brandt']]));
    expect(chips()).toEqual(['Aiko Nakamura']);
    await press('Add');
    await waitFor(() => expect(additions.at(-1)).toEqual(['Aiko Nakamura']));
    expect(requests).toEqual(['Lena Brandt', 'Aiko Nakamura']);
  });

  it('focuses its search, and adds no one when canceled', async () => {
    await open();
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    await choose('Lena Brandt');
    await press('Cancel');
    expect(document.activeElement).toBe(opener());
    expect(requests).toEqual([]);
    await press('Add people');
    expect(chips()).toEqual([]);
  });
});
