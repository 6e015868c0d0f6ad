import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { sampleUsers } from '#test/sample-users.ts';
import { displayName } from './user-labels.ts';
import { UserPicker } from './users-field.tsx';

afterEach(cleanup);

function Team({ onChange }: { onChange: (ids: string[]) => void }) {
  const [value, setValue] = useState<string[]>([]);
  const change = (ids: string[]) => {
    setValue(ids);
    onChange(ids);
  };
  return <UserPicker label="Team members" users={sampleUsers} value={value} onChange={change} />;
}

/** The server's response contains only the matching users. */
function SearchedTeam({ mode }: { mode: 'single' | 'multiple' }) {
  const [query, setQuery] = useState('');
  const [value, setValue] = useState<string[]>([]);
  const matchingUsers = sampleUsers.filter((user) => displayName(user).toLowerCase().includes(query));
  return (
    <>
      <UserPicker
        label="Team"
        users={matchingUsers}
        knownUsers={sampleUsers}
        value={value}
        onChange={setValue}
        onSearch={setQuery}
        mode={mode}
      />
      <output>{value.map((id) => displayName(sampleUsers.find((user) => user._id === id))).join(', ')}</output>
    </>
  );
}

const search = (query: string) => userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), query);
const option = (name: RegExp) => screen.getByRole('option', { name });

const idOf = (firstName: string) => sampleUsers.find((user) => user.firstName === firstName)?._id;

describe('UserPicker', () => {
  it.each(['single', 'multiple'] as const)('keeps the selection on Escape and Ctrl+A in %s mode', async (mode) => {
    render(<SearchedTeam mode={mode} />);
    const [first] = screen.getAllByRole('option');
    if (first) await userEvent.click(first);
    const selectedIds = screen.getByRole('status').textContent;
    expect(selectedIds).not.toBe('');
    await userEvent.keyboard('{Escape}');
    await userEvent.keyboard('{Control>}a{/Control}');
    expect(screen.getByRole('status').textContent).toBe(selectedIds);
  });

  it('offers a retry if users fail to load, and keeps the selection', async () => {
    let retryCount = 0;
    const failure = {
      onRetry: () => {
        retryCount += 1;
      },
      isRetrying: false,
    };
    const field = (props: object) => (
      <UserPicker
        label="Team"
        value={[sampleUsers[0]?._id ?? '']}
        onChange={() => undefined}
        users={sampleUsers}
        {...props}
      />
    );
    render(field({ failure }));
    expect(screen.getByRole('alert').textContent).toContain('Failed to load team members');
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(screen.queryByRole('option')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retryCount).toBe(1);
  });

  it('does not submit the surrounding form on Enter in its search', async () => {
    let submitCount = 0;
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submitCount += 1;
        }}
      >
        <SearchedTeam mode="multiple" />
        <button type="submit">Create</button>
      </form>,
    );
    await search('lena{Enter}');
    expect(submitCount).toBe(0);
  });

  it('keeps selected users that the search hides', async () => {
    let selectedIds: string[] = [];
    render(<Team onChange={(ids) => (selectedIds = ids)} />);
    await userEvent.click(screen.getByRole('option', { name: /Lena Brandt/ }));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search people' }), 'aiko');
    expect(screen.queryByRole('option', { name: /Lena Brandt/ })).toBeNull();
    await userEvent.click(screen.getByRole('option', { name: /Aiko Nakamura/ }));
    expect(selectedIds).toEqual([idOf('Lena'), idOf('Aiko')]);
    expect(screen.getByText('2 selected')).toBeTruthy();
  });

  it('deselects a user by its chip', async () => {
    let selectedIds: string[] = [];
    render(<Team onChange={(ids) => (selectedIds = ids)} />);
    await userEvent.click(screen.getByRole('option', { name: /Tariq Khan/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Tariq Khan' }));
    expect(selectedIds).toEqual([]);
  });

  it('announces whether each user is selected', async () => {
    render(<Team onChange={() => undefined} />);
    expect(screen.getByRole('listbox', { name: 'Team members' }).getAttribute('aria-multiselectable')).toBe('true');
    await userEvent.click(option(/Lena Brandt/));
    expect(option(/Lena Brandt/).getAttribute('aria-selected')).toBe('true');
    expect(option(/Tariq Khan/).getAttribute('aria-selected')).toBe('false');
  });

  it('keeps selected users visible by name when the server returns others', async () => {
    render(<SearchedTeam mode="multiple" />);
    await userEvent.click(option(/Lena Brandt/));
    await search('aiko');
    expect(option(/Lena Brandt/).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('button', { name: 'Remove Lena Brandt' })).toBeTruthy();
    await userEvent.click(option(/Aiko Nakamura/));
    expect(screen.getByRole('status').textContent).toBe('Lena Brandt, Aiko Nakamura');
  });

  it('replaces the selection in single mode', async () => {
    render(<SearchedTeam mode="single" />);
    await userEvent.click(option(/Lena Brandt/));
    await search('aiko');
    await userEvent.click(option(/Aiko Nakamura/));
    expect(screen.getByRole('status').textContent).toBe('Aiko Nakamura');
  });
});
