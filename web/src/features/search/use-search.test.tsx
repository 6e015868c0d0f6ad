import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { userResult } from './found-results.tsx';
import { useSearch } from './use-search.tsx';
import { recordVisit } from './visited-results.ts';

const ada = buildUser('a');
const marked = (text: string) => [{ text, match: false }];
const people = {
  type: 'person',
  data: [{ user: ada, invited: false, title: marked('Ada'), snippet: null }],
  total: 1,
  more: false,
};
const tasks = (title: string) => ({
  type: 'task',
  data: [
    {
      _id: 'c'.repeat(24),
      title: marked(title),
      snippet: null,
      status: 'todo',
      dueDate: null,
      assignedTo: null,
      project: { _id: 'd'.repeat(24), name: 'Portal' },
      comment: null,
    },
  ],
  total: 1,
  more: false,
});
const documents = {
  type: 'document',
  data: [
    {
      _id: 'e'.repeat(24),
      name: 'Plan.pdf',
      title: marked('Plan.pdf'),
      snippet: null,
      mimetype: 'application/pdf',
      project: null,
      uploadedBy: ada,
      updatedAt: '2026-01-01T00:00:00.000Z',
    },
  ],
  total: 1,
  more: false,
};

let stop: () => Promise<void>;
let paths: string[];
let releaseSlow: () => void;
let hangingCount: number;
let canceledCount: number;

beforeEach(async () => {
  act(() => signInAs(ada));
  paths = [];
  hangingCount = 0;
  canceledCount = 0;
  const { promise: canRespond, resolve } = Promise.withResolvers<void>();
  releaseSlow = resolve;
  ({ stop } = await startApi(async ({ path, closed }) => {
    paths.push(path);
    const query = new URL(path, 'http://localhost').searchParams;
    if (!path.startsWith('/api/search')) return { status: 200, body: { data: [], total: 0, page: 1, totalPages: 1 } };
    if (query.get('q') === 'hangs') {
      hangingCount += 1;
      await closed;
      canceledCount += 1;
    }
    if (query.get('q') === 'fails') return { status: 404, body: { message: 'Not now', code: 'some', requestId: 'r' } };
    const types = query.get('types') ?? '';
    if (types.startsWith('person'))
      return { status: 200, body: { groups: [people, tasks('Ada’s task')], missing: ['meeting'] } };
    await canRespond;
    return { status: 200, body: { groups: [documents], missing: ['message'] } };
  }));
});

afterEach(async () => {
  releaseSlow();
  await stop();
});

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;
const search = (q: string, type?: SearchType) =>
  renderHook((query: string) => useSearch(query, { pages: [], type }), { wrapper, initialProps: q });
const namesOf = ({ groups }: ReturnType<typeof useSearch>) => groups.map(({ name }) => name);

describe('useSearch', () => {
  it('shows fast types first, and slow ones below them once they arrive', async () => {
    const { result } = search('Ada');
    await waitFor(() => expect(namesOf(result.current)).toEqual(['People', 'Tasks', 'All results']));
    expect(result.current.missing).toEqual(['meeting']);
    act(() => releaseSlow());
    await waitFor(() => expect(namesOf(result.current)).toEqual(['People', 'Tasks', 'Documents', 'All results']));
    expect(result.current.missing).toEqual(['meeting', 'message']);
  });

  it('shows no results of another query, and reports a failure', async () => {
    const { result, rerender } = search('Ada');
    await waitFor(() => expect(namesOf(result.current)).toContain('People'));
    rerender('fails');
    expect(namesOf(result.current)).toEqual([]);
    await waitFor(() => expect(result.current.hasFailed).toBe(true));
    expect(result.current.groups).toEqual([]);
  });

  it('cancels the requests of an earlier query, and repeats them without an error', async () => {
    const { result, rerender } = search('hangs');
    await waitFor(() => expect(hangingCount).toBe(2));
    rerender('Ada');
    await waitFor(() => expect(canceledCount).toBe(2));
    await waitFor(() => expect(namesOf(result.current)).toContain('People'));
    rerender('hangs');
    await waitFor(() => expect(hangingCount).toBe(4));
    expect(result.current.hasFailed).toBe(false);
    rerender('Grace');
    await waitFor(() => expect(canceledCount).toBe(4));
  });

  it('requests only messages for a query with their operators', async () => {
    search('has:file plan');
    await waitFor(() => expect(paths.filter((path) => path.startsWith('/api/search'))).toHaveLength(1));
    expect(paths.find((path) => path.startsWith('/api/search'))).toContain('types=message');
  });

  it('requests only the type of the query, and the rest of its text', async () => {
    const { result } = search('type:people Ada');
    await waitFor(() => expect(namesOf(result.current)).toContain('People'));
    const requested = paths.filter((path) => path.startsWith('/api/search'));
    expect(requested.map((path) => new URL(path, 'http://localhost').searchParams.get('types'))).toEqual(['person']);
    expect(requested[0]).toContain('q=Ada&');
  });

  it('shows recent results, actions, and no settings before a query', async () => {
    act(() => recordVisit(ada._id, { to: '/progress/1', name: 'Portal' }));
    const { result } = search('');
    expect(namesOf(result.current)).toEqual(['Recent', 'Actions']);
    expect(result.current.groups[0]?.results.map(({ name }) => name)).toEqual(['Portal']);
  });

  it('finds actions and settings by their names', () => {
    const { result } = search('dark');
    expect(result.current.groups[0]?.results.map(({ name }) => name)).toEqual(['Dark theme']);
    const settings = search('passw');
    expect(settings.result.current.groups[0]?.results).toMatchObject([{ name: 'Password', to: '/settings#password' }]);
  });
});

it('userResult links to the direct conversation with people who can sign in, and to the team list for others', () => {
  const toOf = (overrides: Parameters<typeof buildUser>[1], invited = false) => {
    const result = userResult({ user: buildUser('b', overrides), invited, title: marked('B'), snippet: null }, ada._id);
    return 'to' in result ? result.to : undefined;
  };
  expect(toOf({})).toBe(`/chat?with=${'b'.repeat(24)}`);
  expect(toOf({}, true)).toMatch(/^\/team\?/);
  expect(toOf({ status: 'inactive' })).toMatch(/^\/team\?/);
  expect(toOf({ _id: ada._id })).toMatch(/^\/team\?/);
});
