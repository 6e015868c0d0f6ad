import '../../../test/retry-timeouts.ts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { buildUser } from '../../../test/a-person.ts';
import { startApi } from '../../../test/api-server.ts';
import { startLive } from '../../../test/live-server.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { QueryCache } from '../../lib/query/query-cache.ts';
import { swrConfig } from '../../lib/query/swr-config.ts';
import { useLiveUpdates } from './use-live-updates.ts';

type Live = Awaited<ReturnType<typeof startLive>>;
type Answer = ReturnType<Parameters<typeof startLive>[0]>;
type Changes = Extract<Answer, { ok: true }>['data']['changes'];

const ME = buildUser('a', { department: { _id: 'd'.repeat(24), name: 'Design' } });
const PROJECTS = '/projects?limit=6';
const MEETINGS = '/meetings?page=1';
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const SESSIONS = '/auth/sessions?limit=100';
const UNREAD = '/chat/unread';
const project = { resource: 'project', id: 'b'.repeat(24), action: 'updated', version: 2 } as const;
const message = { ...project, resource: 'message', action: 'created', version: 5 } as const;
const session = { ...project, resource: 'session' } as const;
const department = { ...project, resource: 'department', id: 'd'.repeat(24) } as const;
const meeting = { ...project, resource: 'meeting' } as const;

let live: Live;
let answer: () => Answer;
let cache: QueryCache;
let asked: string[];
let shown: string[];
let held: Promise<void> | undefined;
let profiles: number;
let stop: () => Promise<unknown>;

beforeEach(async () => {
  [cache, asked, shown, held, profiles] = [new QueryCache(), [], [], undefined, 0];
  const api = await startApi(({ path }) => {
    if (path.endsWith('/users/profile')) profiles += 1;
    return { status: 200, body: ME };
  });
  live = await startLive(() => answer());
  stop = () => Promise.all([api.stop(), live.stop()]);
  signInAs(ME);
  // What waits for a random while waits for none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

async function ask(path: string): Promise<string> {
  const count = asked.push(path);
  await held;
  return `${path} ${count}`;
}

function Shown({ path }: { path: string }) {
  const { data } = useSWR(path, ask);
  if (data && shown.at(-1) !== data) shown.push(data);
  return <p>{data ?? 'Loading'}</p>;
}

function Following() {
  useLiveUpdates();
  return null;
}

/** A page whose lists are there, or on their way, before it is told of anything. */
async function open(...paths: string[]) {
  const page = (isFollowing: boolean) => (
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
      {paths.map((path) => (
        <Shown key={path} path={path} />
      ))}
      {isFollowing ? <Following /> : null}
    </SWRConfig>
  );
  const { rerender } = render(page(false));
  await waitFor(() => expect(asked).toHaveLength(paths.length));
  if (!held) await waitFor(() => expect(screen.queryByText('Loading')).toBeNull());
  const askedAt = Date.now();
  await act(async () => rerender(page(true)));
  await waitFor(() => expect(live.watched).toHaveLength(1));
  return { askedForMs: Date.now() - askedAt };
}

const told = (changes: Changes) => () => ({ ok: true as const, data: { position: 'p', changes } });
const times = (path: string) => asked.filter((one) => one === path).length;
const asksAgain = (...paths: string[]) => waitFor(() => expect(paths.map(times)).toEqual(paths.map(() => 2)));

describe('a page that is told for the first time what changed', () => {
  it('asks again for what changed since its answers, and for nothing that they have already', async () => {
    answer = told([
      { ...project, ageMs: 0 },
      { ...meeting, ageMs: 60_000 },
    ]);
    const { askedForMs } = await open(PROJECTS, MEETINGS);
    await asksAgain(PROJECTS);
    expect(times(MEETINGS)).toBe(1);
    expect(live.watched[0]).toMatchObject({ topics: expect.arrayContaining(['projects', 'meetings']) });
    expect(live.watched[0]?.maxAgeMs).toBeGreaterThanOrEqual(askedForMs);
  });

  it('counts anew where something was said after its answer, before a socket was there to hear it', async () => {
    answer = told([{ ...message, ageMs: 0 }]);
    await open(UNREAD);
    await asksAgain(UNREAD);
  });

  it('shows an answer that was on its way, and asks again after it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    answer = told([{ ...project, ageMs: 0 }]);
    await open(PROJECTS);
    held = undefined;
    expect(times(PROJECTS)).toBe(1);
    resolve();
    await asksAgain(PROJECTS);
    await screen.findByText(`${PROJECTS} 2`);
    expect(shown).toEqual([`${PROJECTS} 1`, `${PROJECTS} 2`]);
  });

  it('asks again for everything by a server that does not know all of it', async () => {
    answer = () => ({ ok: true, data: { position: 'p', changes: null } });
    await open(PROJECTS, MEETINGS);
    await asksAgain(PROJECTS, MEETINGS);
  });
});

describe('a page', () => {
  it('asks again for what changes, and for nothing else', async () => {
    answer = told([]);
    await open(PROJECTS, MEETINGS);
    live.live.emit('changed', { changes: [project], position: 'p2' });
    await asksAgain(PROJECTS);
    expect(times(MEETINGS)).toBe(1);
  });

  it('asks for the profile again when its department changes, whatever is shown, and by no other', async () => {
    answer = told([]);
    await open(SESSIONS);
    expect(live.watched[0]?.topics).toContain('names');
    live.live.emit('changed', { changes: [{ ...department, id: 'e'.repeat(24) }], position: 'p2' });
    live.live.emit('changed', { changes: [session], position: 'p3' });
    await asksAgain(SESSIONS);
    expect(profiles).toBe(0);
    live.live.emit('changed', { changes: [department], position: 'p4' });
    await waitFor(() => expect(profiles).toBe(1));
    cleanup();
    [cache, asked, live.watched.length] = [new QueryCache(), [], 0];
    answer = told([{ ...department, ageMs: 0 }]);
    await open(SESSIONS);
    await waitFor(() => expect(profiles).toBe(2));
  });

  it('asks again for what is of chat when the sockets may not have heard all', async () => {
    answer = told([]);
    await open(PROJECTS, CONVERSATIONS);
    live.live.emit('resync');
    await asksAgain(CONVERSATIONS);
    expect(times(PROJECTS)).toBe(1);
  });

  it('comes back once to each namespace, though one is tried again while the other has opened their connection', async () => {
    answer = told([]);
    await open(PROJECTS);
    await waitFor(() => expect(live.chat.sockets.size).toBe(1));
    const came: string[] = [];
    for (const space of [live.live, live.chat]) {
      space.on('connection', () => came.push(space.name));
      // Long after the second try.
      space.use((_socket, next) => setTimeout(next, 1_500));
    }
    // The first is tried again as soon as can be, the second as late.
    jest.mocked(Math.random).mockReturnValueOnce(0).mockReturnValue(1);
    for (const { conn } of live.chat.sockets.values()) conn.close();
    await waitFor(() => expect(came).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(came.sort()).toEqual(['/chat', '/live']);
  });
});
