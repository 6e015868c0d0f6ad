import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorFromResponse, networkError } from '#lib/api/api-error.ts';
import { buildMessage } from '../../test/build-message.ts';
import { buildProject } from '../../test/build-project.ts';
import { buildUser } from '../../test/build-user.ts';
import { startFollowing } from '../../test/followed-changes.ts';

const DEPARTMENT = 'd'.repeat(24);
const ME = buildUser('a', { department: { _id: DEPARTMENT, name: 'Design' } });
const PROJECTS = '/projects?limit=6&people=6';
const MEETINGS = '/meetings?page=1';
const DOCUMENTS = '/documents?page=1';
const CONVERSATIONS = '/chat/conversations?limit=100&people=6';
const UNREAD = '/chat/unread';
const FILE = 'file-link 1 x';

const project = buildProject({ membership: null });
const page = { data: [project], total: 1, page: 1, totalPages: 1 };
const renamed: Change = {
  resource: 'project',
  id: project._id,
  action: 'updated',
  version: 2,
  tags: ['projects', `project:${project._id}`],
  changed: ['name'],
  item: { ...project, name: 'Renamed', version: 2 },
};
const meeting: Change = { resource: 'meeting', id: '1'.repeat(24), action: 'updated', version: 2, tags: ['meetings'] };

let started: ReturnType<typeof startFollowing>;

beforeEach(() => {
  jest.useFakeTimers();
  started = startFollowing(ME);
});

afterEach(() => {
  started.stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const namesIn = (key: string) =>
  (started.cache.get(key)?.data as typeof page | undefined)?.data.map(({ name }) => name).join();

describe('changes that arrive', () => {
  it('are shown in the responses that they affect, and others are requested', async () => {
    started.respond(PROJECTS, page);
    started.respond(MEETINGS);
    started.respond(DOCUMENTS);
    started.send({ changes: [renamed, meeting] });
    expect(namesIn(PROJECTS)).toBe('Renamed');
    expect(started.staleKeys).toEqual([MEETINGS]);
  });

  it('precede the position that includes them', async () => {
    started.respond(PROJECTS, page);
    started.live.emit('connect');
    await advance(100);
    started.send({ changes: [], position: 'p5' });
    started.cache.show = () => started.live.emit('connect');
    started.send({ changes: [renamed], position: 'p6' });
    await advance(100);
    expect(started.payloads.map(({ afterPosition }) => afterPosition)).toEqual([undefined, 'p5']);
  });

  it('that were missed are shown after the subscription', async () => {
    started.respond(PROJECTS, page);
    const reference = { _id: ME._id };
    const item = { ...project, version: 2, projectManager: reference, createdBy: reference };
    started.missed.next = { changes: [{ ...renamed, item }], people: [buildUser('a', { firstName: 'Ada' })] };
    started.live.emit('connect');
    await advance(100);
    expect(started.payloads).toEqual([
      { tags: ['people', 'projects', `user:${ME._id}`], maxAgeMs: expect.any(Number) },
    ]);
    expect(started.cache.get(PROJECTS)?.data).toMatchObject({ data: [{ projectManager: { firstName: 'Ada' } }] });
  });

  it('are requested at times that the server spreads, unlike what results from own writes', async () => {
    started.respond(MEETINGS);
    started.send({ changes: [meeting], spreadMs: 20_000 });
    started.cache.markStale(MEETINGS);
    expect(started.spreads).toEqual([20_000, 0]);
  });

  it('are ignored while nobody is signed in', async () => {
    started.respond(PROJECTS, page);
    started.client.user = null;
    started.send({ changes: [renamed] });
    started.live.emit('connect');
    await advance(100);
    expect([namesIn(PROJECTS), started.payloads[0]?.tags]).toEqual([project.name, []]);
  });

  it('are no longer shown after the end', async () => {
    started.respond(PROJECTS, page);
    started.stop();
    started.send({ changes: [renamed] });
    started.connects.notify();
    started.respond(MEETINGS);
    started.live.emit('connect');
    await advance(100_000);
    expect([namesIn(PROJECTS), started.staleKeys, started.payloads]).toEqual([project.name, [], []]);
    expect([started.live.countListeners(), started.chat.countListeners()]).toEqual([0, 0]);
  });
});

describe('unknown changes', () => {
  it('make everything stale except links in use, spread over a short time, and load the profile', async () => {
    for (const key of [PROJECTS, CONVERSATIONS, FILE]) started.respond(key);
    started.missed.next = null;
    started.live.emit('connect');
    await advance(100);
    expect(started.staleKeys).toEqual([PROJECTS, CONVERSATIONS]);
    expect(new Set(started.spreads)).toEqual(new Set([3_000]));
    expect(started.client.profileRequests).toBe(1);
  });

  it('of chat make its responses and failed ones stale, after a random delay', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    for (const key of [PROJECTS, CONVERSATIONS, MEETINGS]) started.respond(key);
    started.cache.set(MEETINGS, { error: networkError() });
    started.live.emit('resync');
    started.live.emit('resync');
    expect(started.staleKeys).toEqual([]);
    await advance(1_500);
    expect(started.staleKeys).toEqual([CONVERSATIONS, MEETINGS]);
  });
});

describe('a new connection', () => {
  it('makes no chat response stale that a page has just loaded', async () => {
    started.respond(CONVERSATIONS);
    started.connects.notify();
    expect(started.staleKeys).toEqual([]);
    started.connects.notify();
    expect(started.staleKeys).toEqual([CONVERSATIONS]);
  });

  it('makes failed responses stale, but not those that failed for good or are in flight', async () => {
    started.cache.set(PROJECTS, { error: networkError() });
    started.cache.set(MEETINGS, { error: errorFromResponse(404, null) });
    started.cache.set(DOCUMENTS, { error: networkError() });
    started.cache.startRequest(DOCUMENTS);
    started.connects.notify();
    expect(started.staleKeys).toEqual([PROJECTS]);
  });
});

describe('an announced message', () => {
  const conversation = 'c'.repeat(24);
  const announced: Change = {
    resource: 'message',
    id: conversation,
    action: 'created',
    version: 7,
    tags: ['conversations'],
  };

  beforeEach(() => started.respond(UNREAD, { total: 0, threads: 0, unread: [] }));

  it('makes the unread counts and the last messages stale if it does not arrive', async () => {
    const conversations = '/chat/conversations?limit=100&people=6';
    started.respond(conversations, { data: [], total: 0, page: 1, totalPages: 0 });
    started.send({ changes: [announced] });
    await advance(1_999);
    expect(started.staleKeys).toEqual([]);
    await advance(1);
    expect(started.staleKeys).toEqual([UNREAD, conversations]);
  });

  it('changes nothing if it has arrived or arrives later', async () => {
    const message = (seq: number) => ({ message: buildMessage(seq, { conversation, sender: buildUser('b') }) });
    started.chat.emit('message:new', message(7));
    started.send({ changes: [announced] });
    started.send({ changes: [{ ...announced, version: 8 }] });
    started.chat.emit('message:new', message(8));
    await advance(10_000);
    expect(started.staleKeys).toEqual([]);
  });
});

describe('a change of the own account', () => {
  const account = (...changed: string[]): Change => ({
    resource: 'user',
    id: ME._id,
    action: 'updated',
    version: 2,
    tags: [`user:${ME._id}`, 'users'],
    changed,
    item: { ...ME, version: 2 },
  });

  beforeEach(() => {
    for (const key of [PROJECTS, MEETINGS, DOCUMENTS, FILE]) started.respond(key, page);
  });

  it.each([
    ['name', [], ['firstName']],
    ['department, which opens documents', [DOCUMENTS], ['department']],
    ['role, on which all permissions depend', [PROJECTS, MEETINGS, DOCUMENTS], ['role', 'department']],
  ])('loads the profile, and requests what depends on the %s', async (_label, staleKeys, changed) => {
    started.send({ changes: [account(...changed)] });
    expect(started.client.profileRequests).toBe(1);
    expect(started.staleKeys).toEqual([]);
    await advance(2_000);
    expect(started.staleKeys).toEqual(staleKeys);
  });

  it('is not one of another user', async () => {
    started.send({ changes: [{ ...account('department'), id: 'b'.repeat(24) }] });
    await advance(10_000);
    expect([started.client.profileRequests, started.staleKeys]).toEqual([0, []]);
  });

  it('includes the name of the department, which all members request at different times', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const department = (id: string): Change => ({
      resource: 'department',
      id,
      action: 'updated',
      version: 2,
      tags: ['departments', 'people'],
      item: { _id: id, name: 'Renamed' },
    });
    started.send({ changes: [department('e'.repeat(24))], spreadMs: 4_000 });
    await advance(10_000);
    expect(started.client.profileRequests).toBe(0);
    started.send({ changes: [department(DEPARTMENT)], spreadMs: 4_000 });
    started.send({ changes: [department(DEPARTMENT)], spreadMs: 4_000 });
    await advance(1_999);
    expect(started.client.profileRequests).toBe(0);
    await advance(1);
    expect(started.client.profileRequests).toBe(1);
  });
});

describe('the subscription', () => {
  it('follows the keys that are observed', async () => {
    started.live.emit('connect');
    await advance(100);
    const release = started.cache.observe(MEETINGS);
    await advance(100);
    release();
    await advance(100);
    expect(started.payloads.map(({ tags }) => tags.includes('meetings'))).toEqual([false, true, false]);
  });

  it('leaves out keys beyond the limit, which the next observer requests', async () => {
    const users = Array.from({ length: 250 }, (_, n) => `/users/${n.toString(16).padStart(24, '0')}`);
    for (const key of users) started.respond(key, {});
    started.live.emit('connect');
    await advance(100);
    expect(started.payloads[0]?.tags).toHaveLength(200);
    const fresh = users.filter((key) => Number.isFinite(started.cache.dataAge(key)));
    expect(fresh).toEqual(users.slice(0, 198));
  });
});
