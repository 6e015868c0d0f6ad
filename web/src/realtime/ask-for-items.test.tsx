import '../../test/retry-timeouts.ts';
import type { listProjects } from '@atrium/proto-events/http/projects';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { buildUser } from '../../test/a-person.ts';
import { startApi } from '../../test/api-server.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { swrConfig } from '../lib/query/swr-config.ts';
import { useRead } from '../lib/query/use-read.ts';
import { MAX_ITEMS } from './list-patches.ts';
import { useRefetch } from './use-refetch.ts';

const LIST = '/api/projects?limit=6&people=3';
const ITEMS = `/api/projects?ids=a&limit=${MAX_ITEMS}&people=3`;

let stop: () => Promise<void>;
let asked: string[];
let askAgain: ReturnType<typeof useRefetch>;
let names: Record<string, string>;
let isAway: boolean;
/** Runs once, after the server has read the items and before it responds. */
let meanwhile: (() => void) | undefined;

beforeEach(async () => {
  [asked, names, isAway, meanwhile] = [[], { a: 'Alpha', b: 'Beta' }, false, undefined];
  act(() => signInAs(buildUser('p')));
  ({ stop } = await startApi(({ path }) => {
    asked.push(path);
    if (isAway) return { status: 503, body: { message: 'Busy', code: 'unavailable', requestId: 'r' } };
    const ids = new URL(path, 'http://localhost').searchParams.get('ids')?.split(',');
    const data = Object.entries(names)
      .filter(([id]) => !ids || ids.includes(id))
      .map(([_id, name]) => ({ _id, name, version: asked.length, updatedAt: _id === 'a' ? 'later' : 'earlier' }));
    const happens = meanwhile;
    meanwhile = undefined;
    happens?.();
    return { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function Shown() {
  askAgain = useRefetch();
  const { data } = useRead<typeof listProjects>('GET /projects', { query: { limit: 6, people: 3 } });
  return <p>{data?.data.map(({ name }) => name).join(' ')}</p>;
}

async function open() {
  render(
    <SWRConfig value={swrConfig}>
      <Shown />
    </SWRConfig>,
  );
  await screen.findByText('Alpha Beta');
}

const note = (...ids: string[]) => act(async () => askAgain(() => new Set(ids)));
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

it('requests only the changed items of a list', async () => {
  await open();
  names = { a: 'Aleph', b: 'Bet' };
  await note('a');
  await shows('Aleph Beta');
  expect(asked).toEqual([LIST, ITEMS]);
});

it('requests the whole list when an item no longer exists or too many items changed', async () => {
  await open();
  names = { b: 'Beta' };
  await note('a');
  await shows('Beta');
  expect(asked).toEqual([LIST, ITEMS, LIST]);
  names = { b: 'Bet' };
  await note(...Array.from({ length: MAX_ITEMS + 1 }, (_, index) => `x${index}`));
  await shows('Bet');
  expect(asked).toEqual([LIST, ITEMS, LIST, LIST]);
});

it('requests an item again when it changes while its response is in flight', async () => {
  await open();
  names = { a: 'Aleph', b: 'Beta' };
  meanwhile = () => {
    names = { a: 'Alef', b: 'Beta' };
    askAgain(() => new Set(['a']));
  };
  await note('a');
  await shows('Alef Beta');
  expect(asked).toEqual([LIST, ITEMS, ITEMS]);
});

it('requests an item again only when the in-flight response lacks the reported change', async () => {
  await open();
  const tell = (name: string) =>
    askAgain((_key, _age, held) => !JSON.stringify(held ?? '').includes(name), { awaitInFlight: true });
  names = { a: 'Aleph', b: 'Beta' };
  meanwhile = () => tell('Aleph');
  await act(async () => askAgain(() => true));
  await shows('Aleph Beta');
  meanwhile = () => {
    names = { a: 'Alef', b: 'Beta' };
    tell('Alef');
  };
  await note('a');
  await shows('Alef Beta');
  expect(asked).toEqual([LIST, LIST, ITEMS, LIST]);
}, 20_000);

it('requests no items of a list that is being refetched as a whole', async () => {
  await open();
  names = { a: 'Aleph', b: 'Bet' };
  await act(async () => {
    askAgain(() => new Set(['a']));
    askAgain(() => true);
    askAgain(() => new Set(['b']));
  });
  await shows('Aleph Bet');
  expect(asked.filter((path) => /ids=(a,)?b/.test(path))).toEqual([]);
});

it('retries items that failed to load', async () => {
  await open();
  [isAway, names] = [true, { a: 'Aleph', b: 'Beta' }];
  await note('a');
  await waitFor(() => expect(asked).toContain(ITEMS));
  isAway = false;
  await shows('Aleph Beta');
  expect(new Set(asked)).toEqual(new Set([LIST, ITEMS]));
  expect(asked.filter((path) => path === LIST)).toHaveLength(1);
}, 40_000);
