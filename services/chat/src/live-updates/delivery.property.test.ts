import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change, LiveServerEvents } from '@atrium/proto-events/realtime';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Server } from 'socket.io';
import {
  ADMINS,
  conversationRoom,
  departmentRoom,
  type LiveNamespace,
  tagRoom,
  userRoom,
} from '../sockets/socket-server.ts';
import { createChangeBatcher } from './change-batcher.ts';
import { mergeChanges, resourceKey } from './merge-changes.ts';
import { isRecipient } from './recipients.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';

type Frame = Parameters<LiveServerEvents['changed']>[0];
type Client = { userId: string; isAdmin: boolean; department: string | null; tags: string[]; conversations: string[] };
type Resource = { producer: string } & Pick<LiveUpdate, 'audience'> & Pick<Change, 'resource' | 'id' | 'tags'>;
type Step = { resources: readonly Resource[] } | { waitMs: number };

const PRODUCERS = ['users', 'projects', 'chat'];
/** Thousands subscribed to `projects`, and more than a hundred to `tasks`. */
const CROWDS = { projects: 1_001, tasks: 101 };

/** The project has no tasks: if it is deleted, theirs are replayed without items. */
const RESOURCES: readonly Resource[] = [
  { producer: 'users', resource: 'user', id: 'u', audience: 'everyone', tags: ['users', 'user:u', 'people'] },
  { producer: 'projects', resource: 'project', id: 'p', audience: 'everyone', tags: ['projects', 'project:p'] },
  { producer: 'projects', resource: 'task', id: 't', audience: 'everyone', tags: ['tasks', 'tasks-in:r', 'task:t'] },
  { producer: 'projects', resource: 'task', id: 's', audience: 'everyone', tags: ['tasks', 'tasks-in:q'] },
  { producer: 'chat', resource: 'meeting', id: 'm', audience: { users: ['ann', 'ben'] }, tags: ['projects'] },
  { producer: 'chat', resource: 'invitation', id: 'i', audience: { users: [], admins: true }, tags: ['users'] },
  { producer: 'chat', resource: 'document', id: 'd', audience: { users: ['ben'], departments: ['d1'] }, tags: [] },
  { producer: 'chat', resource: 'message', id: 'c1', audience: { users: [], conversation: 'c1' }, tags: [] },
  { producer: 'chat', resource: 'conversation', id: 'c2', audience: { users: [], conversation: 'c2' }, tags: [] },
];
const TAGS = [...new Set(RESOURCES.flatMap(({ tags }) => tags))];

const client: fc.Arbitrary<Client> = fc.record({
  userId: fc.constantFrom('ann', 'ben', 'cleo'),
  isAdmin: fc.boolean(),
  department: fc.constantFrom(null, 'd1', 'd2'),
  tags: fc.subarray<string>(TAGS),
  conversations: fc.subarray(['c1', 'c2']),
});
/** An event changes one or two resources of a producer. */
const event = fc.tuple(fc.constantFrom(...RESOURCES), fc.constantFrom(...RESOURCES)).map(
  ([first, second]): Step => ({
    resources: [...new Set([first, second])].filter((r) => r.producer === first.producer),
  }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: event },
  { weight: 1, arbitrary: fc.record({ waitMs: fc.constantFrom(1, 100, 249, 250, 700, 1_000) }) },
);

let live: LiveNamespace;
const framesBySocket = new Map<string, Frame[]>();
beforeAll(() => {
  jest.useFakeTimers();
  live = new Server().of('/live');
  live.adapter.broadcast = ({ data }, { rooms }) => {
    const [, frame] = data as [string, Frame];
    const socketIds = new Set([...rooms].flatMap((room) => [...(live.adapter.rooms.get(room) ?? [])]));
    for (const id of socketIds) framesBySocket.get(id)?.push(frame);
  };
  for (const [tag, size] of Object.entries(CROWDS))
    for (let index = 0; index < size; index += 1) void live.adapter.addAll(`${tag} ${index}`, new Set([tagRoom(tag)]));
});
afterAll(() => void jest.useRealTimers());

/** Each change has the next version. A creation is the first change of a resource, or follows its deletion. */
function createHistory() {
  const latest = new Map<Resource, Change>();
  const chooseAction = (resource: Resource, turn: number): Change['action'] => {
    const previous = latest.get(resource);
    if (resource.resource === 'message') return turn % 3 === 0 ? 'updated' : 'created';
    if (previous === undefined) return turn % 3 === 0 ? 'updated' : 'created';
    if (previous.action === 'deleted') return 'created';
    return turn % 5 === 0 ? 'deleted' : 'updated';
  };
  return (resource: Resource, turn: number): LiveUpdate => {
    const { audience, producer: _producer, ...fields } = resource;
    const version = (latest.get(resource)?.version ?? 0) + 1;
    const action = chooseAction(resource, turn);
    const change: Change = {
      ...fields,
      action,
      version,
      ...(action !== 'deleted' && turn % 2 === 0 && { item: { version } }),
      ...(action === 'updated' && { changed: [`field${turn % 4}`] }),
    };
    latest.set(resource, change);
    return { audience, change };
  };
}

type Run = { buffer: ReplayBuffer; startPosition: string; frames: Frame[][] };

function run(clients: readonly Client[], steps: readonly Step[]): Run {
  const buffer = createReplayBuffer(PRODUCERS);
  const streamCreatedAt = '2026-11-20T08:00:00Z';
  const seqs = new Map(PRODUCERS.map((producer) => [producer, 0]));
  for (const producer of PRODUCERS) buffer.begin(producer, { streamCreatedAt, seq: 0 });
  const startPosition = buffer.position();
  for (const [index, { userId, isAdmin, department, tags, conversations }] of clients.entries()) {
    const rooms = [userRoom(userId), ...tags.map(tagRoom), ...conversations.map(conversationRoom)];
    if (department !== null) rooms.push(departmentRoom(department));
    if (isAdmin) rooms.push(ADMINS);
    void live.adapter.addAll(`client ${index}`, new Set(rooms));
    framesBySocket.set(`client ${index}`, []);
  }
  const batcher = createChangeBatcher({ live, currentPosition: buffer.position, listPeople: () => [] });
  const toUpdate = createHistory();
  for (const [turn, next] of steps.entries()) {
    if ('waitMs' in next) {
      jest.advanceTimersByTime(next.waitMs);
      continue;
    }
    const producer = next.resources[0]?.producer ?? '';
    const seq = (seqs.get(producer) ?? 0) + 1;
    seqs.set(producer, seq);
    const updates = next.resources.map((resource) => toUpdate(resource, turn));
    updates.forEach(batcher.add);
    buffer.add(producer, { streamCreatedAt, seq }, updates);
  }
  batcher.close();
  const frames = clients.map((_, index) => framesBySocket.get(`client ${index}`) ?? []);
  framesBySocket.clear();
  for (const index of clients.keys()) live.adapter.delAll(`client ${index}`);
  return { buffer, startPosition, frames };
}

const replay = ({ buffer }: Run, position: string, { userId, isAdmin, department, tags, conversations }: Client) =>
  buffer.changesSince(position, (update) =>
    isRecipient(update, {
      userId,
      isAdmin,
      isInDepartment: (id) => department === id,
      isSubscribedTo: (tag) => tags.includes(tag),
      isParticipantOf: (id) => conversations.includes(id),
    }),
  ) ?? [];

/**
 * Returns the merged changes of each resource in a form that does not depend on their order. The item of a creation in a
 * replay may be later.
 */
const merge = (changes: readonly Change[]) =>
  Map.groupBy(
    mergeChanges(changes)
      .map(({ item, ...change }) => ({
        ...change,
        ...(change.action !== 'created' && item && { item }),
        tags: change.tags.toSorted(),
        ...(change.changed && { changed: change.changed.toSorted() }),
      }))
      .sort((a, b) => a.action.localeCompare(b.action)),
    resourceKey,
  );
const changesOf = (frames: readonly Frame[]) => frames.flatMap(({ changes }) => changes);

const forEveryRun = (check: (clients: readonly Client[], steps: readonly Step[]) => void) =>
  fc.assert(
    fc.property(
      fc.array(client, { minLength: 1, maxLength: 4 }),
      fc.array(step, { minLength: 1, maxLength: 40 }),
      check,
    ),
    { numRuns: 300 },
  );

it('live delivery and a replay of everything have the same result, without changes that a client may not see', () => {
  forEveryRun((clients, steps) => {
    const result = run(clients, steps);
    const changed = new Set(steps.flatMap((next) => ('resources' in next ? next.resources : [])));
    for (const [index, viewer] of clients.entries()) {
      const received = merge(changesOf(result.frames[index] ?? []));
      expect(received).toEqual(merge(replay(result, result.startPosition, viewer)));
      const visible = [...changed].filter(({ audience, tags }) => {
        if (audience === 'everyone') return tags.some((tag) => viewer.tags.includes(tag));
        const { users, departments = [], admins = false, conversation = '' } = audience;
        const isInDepartment = viewer.department !== null && departments.includes(viewer.department);
        const isAdmin = admins && viewer.isAdmin;
        return (
          users.includes(viewer.userId) || isInDepartment || isAdmin || viewer.conversations.includes(conversation)
        );
      });
      expect([...received.keys()].sort()).toEqual(visible.map(({ resource, id }) => `${resource}:${id}`).sort());
    }
  });
});

it('a client that loses its connection after any frame misses nothing if it continues from its last position', () => {
  forEveryRun((clients, steps) => {
    const result = run(clients, steps);
    for (const [index, viewer] of clients.entries()) {
      const frames = result.frames[index] ?? [];
      const complete = merge(changesOf(frames));
      for (let count = 0; count <= frames.length; count += 1) {
        const received = frames.slice(0, count);
        const missed = replay(result, received.at(-1)?.position ?? result.startPosition, viewer);
        expect(merge([...changesOf(received), ...missed])).toEqual(complete);
      }
    }
  });
});
