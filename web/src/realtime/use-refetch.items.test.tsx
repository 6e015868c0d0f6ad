import type { listProjects } from '@atrium/proto-events/http/projects';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { startApi } from '../../test/api-server.ts';
import { buildUser } from '../../test/build-user.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { MAX_ITEMS } from './list-patches.ts';
import { useRefetch } from './use-refetch.ts';

const LIST = '/api/projects?limit=6&people=3';
const ITEMS = `/api/projects?ids=a&limit=${MAX_ITEMS}&people=3`;

let stop: () => Promise<void>;
let requests: string[];
let refetch: ReturnType<typeof useRefetch>;
let names: Record<string, string>;
let isUnavailable: boolean;
/** Runs once, after the server has read the items and before it responds. */
let beforeResponse: (() => void) | undefined;

beforeEach(async () => {
  requests = [];
  names = { a: 'Alpha', b: 'Beta' };
  isUnavailable = false;
  beforeResponse = undefined;
  act(() => signInAs(buildUser('p')));
  ({ stop } = await startApi(({ path }) => {
    requests.push(path);
    if (isUnavailable) return { status: 503, body: { message: 'Busy', code: 'unavailable', requestId: 'r' } };
    const ids = new URL(path, 'http://localhost').searchParams.get('ids')?.split(',');
    const data = Object.entries(names)
      .filter(([id]) => !ids || ids.includes(id))
      .map(([_id, name]) => ({ _id, name, version: requests.length, updatedAt: _id === 'a' ? 'later' : 'earlier' }));
    const interrupt = beforeResponse;
    beforeResponse = undefined;
    interrupt?.();
    return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function ProjectNames() {
  refetch = useRefetch();
  const { data } = useRead<typeof listProjects>('GET /projects', { query: { limit: 6, people: 3 } });
  return <p>{data?.data.map(({ name }) => name).join(' ')}</p>;
}

async function open() {
  render(
    <SWRConfig value={swrConfig}>
      <ProjectNames />
    </SWRConfig>,
  );
  await screen.findByText('Alpha Beta');
}

const refetchItems = (...ids: string[]) => act(async () => refetch(() => new Set(ids)));
const waitForText = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

it('refetching items requests only the changed items of a list', async () => {
  await open();
  names = { a: 'Aleph', b: 'Bet' };
  await refetchItems('a');
  await waitForText('Aleph Beta');
  expect(requests).toEqual([LIST, ITEMS]);
});

it('refetching items requests the whole list when an item no longer exists or too many items changed', async () => {
  await open();
  names = { b: 'Beta' };
  await refetchItems('a');
  await waitForText('Beta');
  expect(requests).toEqual([LIST, ITEMS, LIST]);
  names = { b: 'Bet' };
  await refetchItems(...Array.from({ length: MAX_ITEMS + 1 }, (_, index) => `x${index}`));
  await waitForText('Bet');
  expect(requests).toEqual([LIST, ITEMS, LIST, LIST]);
});

it('refetching items requests an item again when it changes while its response is in flight', async () => {
  await open();
  names = { a: 'Aleph', b: 'Beta' };
  beforeResponse = () => {
    names = { a: 'Alef', b: 'Beta' };
    refetch(() => new Set(['a']));
  };
  await refetchItems('a');
  await waitForText('Alef Beta');
  expect(requests).toEqual([LIST, ITEMS, ITEMS]);
});

it('refetching items requests an item again only when the in-flight response lacks the reported change', async () => {
  await open();
  const refetchUnless = (name: string) =>
    refetch((_key, _age, data) => !JSON.stringify(data ?? '').includes(name), { awaitInFlight: true });
  names = { a: 'Aleph', b: 'Beta' };
  beforeResponse = () => refetchUnless('Aleph');
  await act(async () => refetch(() => true));
  await waitForText('Aleph Beta');
  beforeResponse = () => {
    names = { a: 'Alef', b: 'Beta' };
    refetchUnless('Alef');
  };
  await refetchItems('a');
  await waitForText('Alef Beta');
  expect(requests).toEqual([LIST, LIST, ITEMS, LIST]);
});

it('refetching items requests no items of a list that is being refetched as a whole', async () => {
  await open();
  names = { a: 'Aleph', b: 'Bet' };
  await act(async () => {
    refetch(() => new Set(['a']));
    refetch(() => true);
    refetch(() => new Set(['b']));
  });
  await waitForText('Aleph Bet');
  expect(requests.filter((path) => /ids=(a,)?b/.test(path))).toEqual([]);
});

it('refetching items retries items that failed to load', async () => {
  await open();
  isUnavailable = true;
  names = { a: 'Aleph', b: 'Beta' };
  await refetchItems('a');
  await waitFor(() => expect(requests).toContain(ITEMS));
  isUnavailable = false;
  await waitForText('Aleph Beta');
  expect(new Set(requests)).toEqual(new Set([LIST, ITEMS]));
  expect(requests.filter((path) => path === LIST)).toHaveLength(1);
});
