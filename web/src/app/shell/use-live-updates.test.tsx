import type { Project } from '@atrium/proto-events/http/projects';
import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { networkError } from '#lib/api/api-error.ts';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildProject } from '#test/build-project.ts';
import { buildUser } from '#test/build-user.ts';
import { startLive } from '#test/live-server.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useLiveUpdates } from './use-live-updates.ts';

type Live = Awaited<ReturnType<typeof startLive>>;
type SubscribeResponse = ReturnType<Parameters<typeof startLive>[0]>;

const ME = buildUser('a', { department: { _id: 'd'.repeat(24), name: 'Design' } });
const PROJECTS = '/projects?limit=6';
const MEETINGS = '/meetings?page=1';
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const SESSIONS = '/auth/sessions?limit=100';
const UNREAD = '/chat/unread';
/** Has no tags. */
const ACTIVITY = '/activity?page=1';
const shownProject = buildProject({ membership: null });
const projectWithoutItem: Change = {
  resource: 'project',
  id: shownProject._id,
  action: 'updated',
  version: 2,
  tags: ['projects'],
};
const project: Change = { ...projectWithoutItem, item: { ...shownProject, name: 'Renamed', version: 2 } };
const message: Change = {
  resource: 'message',
  id: '2'.repeat(24),
  action: 'created',
  version: 5,
  tags: ['conversations'],
};
const session: Change = { resource: 'session', id: '3'.repeat(24), action: 'updated', version: 2, tags: ['sessions'] };
const department: Change = {
  resource: 'department',
  id: 'd'.repeat(24),
  action: 'updated',
  version: 2,
  tags: ['departments', 'people'],
};

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

type Response = { data: Project[]; total: number; label: string };

async function respondTo(path: string): Promise<Response> {
  const count = requests.push(path);
  await pendingResponse;
  const data = path === PROJECTS ? [shownProject] : [];
  return { data, total: data.length, label: `${path} ${count}` };
}

function Shown({ path }: { path: string }) {
  const { data } = useSWR(path, respondTo);
  const text = data && [data.label, ...data.data.map(({ name }) => name)].join(' ');
  if (text && shownTexts.at(-1) !== text) shownTexts.push(text);
  return <p>{text ?? 'Loading'}</p>;
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

const replay = (changes: Change[]) => () => ({ ok: true as const, data: { position: 'p', changes } });
const countRequests = (path: string) => requests.filter((request) => request === path).length;
const expectRefetched = (...paths: string[]) =>
  waitFor(() => expect(paths.map(countRequests)).toEqual(paths.map(() => 2)));

describe('a page on its first subscription', () => {
  it('shows what changed since its responses, and requests nothing', async () => {
    respond = replay([project]);
    const { requestAgeMs } = await open(PROJECTS, MEETINGS);
    await screen.findByText(`${PROJECTS} 1 Renamed`);
    expect([PROJECTS, MEETINGS].map(countRequests)).toEqual([1, 1]);
    expect(live.subscriptions[0]).toMatchObject({ tags: expect.arrayContaining(['projects', 'meetings', 'people']) });
    expect(live.subscriptions[0]?.maxAgeMs).toBeGreaterThanOrEqual(requestAgeMs);
  });

  it('refetches the lists that it cannot change itself, and no others', async () => {
    respond = replay([projectWithoutItem]);
    await open(PROJECTS, MEETINGS);
    await expectRefetched(PROJECTS);
    expect(countRequests(MEETINGS)).toBe(1);
  });

  it('refetches the unread counts when a message arrived after the response and before the socket connected', async () => {
    respond = replay([message]);
    await open(UNREAD);
    await expectRefetched(UNREAD);
  });

  it('shows a response in flight with the change', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pendingResponse = promise;
    respond = replay([project]);
    await open(PROJECTS);
    resolve();
    await screen.findByText(`${PROJECTS} 1 Renamed`);
    expect([shownTexts, countRequests(PROJECTS)]).toEqual([[`${PROJECTS} 1 Renamed`], 1]);
  });

  it('shows a response in flight and refetches it when the change cannot be shown', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pendingResponse = promise;
    respond = replay([projectWithoutItem]);
    await open(PROJECTS);
    pendingResponse = undefined;
    expect(countRequests(PROJECTS)).toBe(1);
    resolve();
    await expectRefetched(PROJECTS);
    await screen.findByText(`${PROJECTS} 2 ${shownProject.name}`);
    expect(shownTexts).toEqual([1, 2].map((count) => `${PROJECTS} ${count} ${shownProject.name}`));
  });

  it('refetches everything when the server cannot replay all changes', async () => {
    respond = () => ({ ok: true, data: { position: 'p', changes: null } });
    await open(PROJECTS, MEETINGS);
    await expectRefetched(PROJECTS, MEETINGS);
  });
});

describe('a page with a subscription', () => {
  it('shows a change, and requests nothing', async () => {
    respond = replay([]);
    await open(PROJECTS, MEETINGS);
    live.live.emit('changed', { changes: [project], position: 'p2' });
    await screen.findByText(`${PROJECTS} 1 Renamed`);
    expect([PROJECTS, MEETINGS].map(countRequests)).toEqual([1, 1]);
  });

  it('refetches the list whose change it cannot show, and no other', async () => {
    respond = replay([]);
    await open(PROJECTS, MEETINGS);
    live.live.emit('changed', { changes: [projectWithoutItem], position: 'p2' });
    await expectRefetched(PROJECTS);
    expect(countRequests(MEETINGS)).toBe(1);
  });

  it('reloads the profile when its own department changes, and only then', async () => {
    respond = replay([]);
    await open(SESSIONS);
    expect(live.subscriptions[0]?.tags).toContain('people');
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
    respond = replay([department]);
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
