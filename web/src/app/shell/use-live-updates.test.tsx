import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { networkError } from '#lib/api/api-error.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { startLive } from '#test/live-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useLiveUpdates } from './use-live-updates.ts';

type Live = Awaited<ReturnType<typeof startLive>>;
type SubscribeResponse = ReturnType<Parameters<typeof startLive>[0]>;
type Changes = Extract<SubscribeResponse, { ok: true }>['data']['changes'];

const ME = buildUser('a', { department: { _id: 'd'.repeat(24), name: 'Design' } });
const PROJECTS = '/projects?limit=6';
const MEETINGS = '/meetings?page=1';
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const SESSIONS = '/auth/sessions?limit=100';
const UNREAD = '/chat/unread';
/** Has no topic. */
const ACTIVITY = '/activity?page=1';
const project = { resource: 'project', id: 'b'.repeat(24), action: 'updated', version: 2 } as const;
const message = { ...project, resource: 'message', action: 'created', version: 5 } as const;
const session = { ...project, resource: 'session' } as const;
const department = { ...project, resource: 'department', id: 'd'.repeat(24) } as const;
const meeting = { ...project, resource: 'meeting' } as const;

let live: Live;
let respond: () => SubscribeResponse;
let cache: QueryCache;
let requests: string[];
let shownTexts: string[];
let pendingResponse: Promise<void> | undefined;
let profileRequests: number;
let stop: () => Promise<unknown>;

beforeEach(async () => {
  cache = new QueryCache();
  requests = [];
  shownTexts = [];
  pendingResponse = undefined;
  profileRequests = 0;
  const api = await startApi(({ path }) => {
    if (path.endsWith('/users/profile')) profileRequests += 1;
    return { status: 200, body: ME };
  });
  live = await startLive(() => respond());
  stop = () => Promise.all([api.stop(), live.stop()]);
  signInAs(ME);
  // Removes jitter.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  cleanup();
  jest.restoreAllMocks();
  await stop();
});

async function respondTo(path: string): Promise<string> {
  const count = requests.push(path);
  await pendingResponse;
  return `${path} ${count}`;
}

function Shown({ path }: { path: string }) {
  const { data } = useSWR(path, respondTo);
  if (data && shownTexts.at(-1) !== data) shownTexts.push(data);
  return <p>{data ?? 'Loading'}</p>;
}

function Following() {
  useLiveUpdates();
  return null;
}

/** Renders a page whose lists are loaded or loading before the first event. */
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
  await waitFor(() => expect(requests).toHaveLength(paths.length));
  if (!pendingResponse) await waitFor(() => expect(screen.queryByText('Loading')).toBeNull());
  const requestedAt = Date.now();
  await act(async () => rerender(page(true)));
  await waitFor(() => expect(live.subscriptions).toHaveLength(1));
  return { requestAgeMs: Date.now() - requestedAt };
}

const replay = (changes: Changes) => () => ({ ok: true as const, data: { position: 'p', changes } });
const countRequests = (path: string) => requests.filter((request) => request === path).length;
const expectRefetched = (...paths: string[]) =>
  waitFor(() => expect(paths.map(countRequests)).toEqual(paths.map(() => 2)));

describe('a page on its first subscription', () => {
  it('refetches the lists that changed since their responses, and no others', async () => {
    respond = replay([
      { ...project, ageMs: 0 },
      { ...meeting, ageMs: 60_000 },
    ]);
    const { requestAgeMs } = await open(PROJECTS, MEETINGS);
    await expectRefetched(PROJECTS);
    expect(countRequests(MEETINGS)).toBe(1);
    expect(live.subscriptions[0]).toMatchObject({ topics: expect.arrayContaining(['projects', 'meetings']) });
    expect(live.subscriptions[0]?.maxAgeMs).toBeGreaterThanOrEqual(requestAgeMs);
  });

  it('refetches the unread counts when a message arrived after the response and before the socket connected', async () => {
    respond = replay([{ ...message, ageMs: 0 }]);
    await open(UNREAD);
    await expectRefetched(UNREAD);
  });

  it('shows a response in flight and refetches it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pendingResponse = promise;
    respond = replay([{ ...project, ageMs: 0 }]);
    await open(PROJECTS);
    pendingResponse = undefined;
    expect(countRequests(PROJECTS)).toBe(1);
    resolve();
    await expectRefetched(PROJECTS);
    await screen.findByText(`${PROJECTS} 2`);
    expect(shownTexts).toEqual([`${PROJECTS} 1`, `${PROJECTS} 2`]);
  });

  it('refetches everything when the server cannot replay all changes', async () => {
    respond = () => ({ ok: true, data: { position: 'p', changes: null } });
    await open(PROJECTS, MEETINGS);
    await expectRefetched(PROJECTS, MEETINGS);
  });
});

describe('a page with a subscription', () => {
  it('refetches the list that changes, and no other', async () => {
    respond = replay([]);
    await open(PROJECTS, MEETINGS);
    live.live.emit('changed', { changes: [project], position: 'p2' });
    await expectRefetched(PROJECTS);
    expect(countRequests(MEETINGS)).toBe(1);
  });

  it('reloads the profile when its own department changes, and only then', async () => {
    respond = replay([]);
    await open(SESSIONS);
    expect(live.subscriptions[0]?.topics).toContain('names');
    live.live.emit('changed', { changes: [{ ...department, id: 'e'.repeat(24) }], position: 'p2' });
    live.live.emit('changed', { changes: [session], position: 'p3' });
    await expectRefetched(SESSIONS);
    expect(profileRequests).toBe(0);
    live.live.emit('changed', { changes: [department], position: 'p4' });
    await waitFor(() => expect(profileRequests).toBe(1));
    cleanup();
    cache = new QueryCache();
    requests = [];
    live.subscriptions.length = 0;
    respond = replay([{ ...department, ageMs: 0 }]);
    await open(SESSIONS);
    await waitFor(() => expect(profileRequests).toBe(2));
  });

  it('refetches chat queries when socket events may have been lost', async () => {
    respond = replay([]);
    await open(PROJECTS, CONVERSATIONS);
    live.live.emit('resync');
    await expectRefetched(CONVERSATIONS);
    expect(countRequests(PROJECTS)).toBe(1);
  });

  it('refetches chat and failed queries once after it was offline, and no others', async () => {
    respond = replay([]);
    await open(PROJECTS, CONVERSATIONS, ACTIVITY);
    await waitFor(() => expect(live.chat.sockets.size).toBe(1));
    act(() => void window.dispatchEvent(new Event('offline')));
    await waitFor(() => expect(live.chat.sockets.size).toBe(0));
    cache.set(ACTIVITY, { error: networkError() });
    act(() => void window.dispatchEvent(new Event('online')));
    await expectRefetched(CONVERSATIONS, ACTIVITY);
    await waitFor(() => expect(live.subscriptions).toHaveLength(2));
    await act(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect([PROJECTS, CONVERSATIONS, ACTIVITY].map(countRequests)).toEqual([1, 2, 2]);
  });

  it('reconnects each namespace once, although one is retried while the other has opened the connection', async () => {
    respond = replay([]);
    await open(PROJECTS);
    await waitFor(() => expect(live.chat.sockets.size).toBe(1));
    const connectedNamespaces: string[] = [];
    for (const space of [live.live, live.chat]) {
      space.on('connection', () => connectedNamespaces.push(space.name));
      // Connects long after the second attempt.
      space.use((_socket, next) => setTimeout(next, 1_500));
    }
    // The first retry has the minimum delay, the second the maximum.
    jest.mocked(Math.random).mockReturnValueOnce(0).mockReturnValue(1);
    for (const { conn } of live.chat.sockets.values()) conn.close();
    await waitFor(() => expect(connectedNamespaces).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(connectedNamespaces.sort()).toEqual(['/chat', '/live']);
  });
});
