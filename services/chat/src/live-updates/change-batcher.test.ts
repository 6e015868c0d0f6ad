import { EventEmitter, once } from 'node:events';
import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Server } from 'socket.io';
import { ADMINS, conversationRoom, type LiveNamespace, topicRoom, userRoom } from '../sockets/socket-server.ts';
import { type ChangeBatcher, createChangeBatcher } from './change-batcher.ts';
import { MAX_IMMEDIATE_RECIPIENTS } from './throttled-delivery.ts';

type Packet = { sockets: string[]; changes: Change[] };

const [PROJECT, TASK, MEETING] = ['a', 'b', 'c'].map((letter) => letter.repeat(24)) as [string, string, string];
let live: LiveNamespace;
let batcher: ChangeBatcher;
let packets: Packet[];
let packetEvents: EventEmitter;

beforeEach(() => {
  live = new Server().of('/live');
  packets = [];
  packetEvents = new EventEmitter();
  live.adapter.broadcast = ({ data }, { rooms }) => {
    const [, payload] = data as ['changed', Omit<Packet, 'sockets'>];
    packets.push({ sockets: [...rooms].sort(), changes: payload.changes });
    packetEvents.emit('packet');
  };
  void live.adapter.addAll('ann', new Set([userRoom('ann'), topicRoom('projects'), topicRoom('meetings')]));
  void live.adapter.addAll('ben', new Set([userRoom('ben'), topicRoom('projects')]));
  void live.adapter.addAll('cleo', new Set([userRoom('cleo'), topicRoom('projects')]));
  batcher = createChangeBatcher(live, () => '', { pacing: () => ({}), budget: () => 100 });
});
afterEach(() => batcher.close());

const change = (resource: Change['resource'], id: string, overrides: Partial<Change> = {}): Change => ({
  resource,
  id,
  action: 'updated',
  version: 2,
  ...overrides,
});
const messageUpdate = (overrides: Partial<Change>): LiveUpdate => ({
  topics: ['projects'],
  audience: 'everyone',
  changes: [change('message', PROJECT, overrides)],
});
const projectUpdate = (overrides: Partial<Change> = {}): LiveUpdate => ({
  topics: ['projects'],
  audience: 'everyone',
  changes: [change('project', PROJECT, overrides)],
});

describe('a change batcher', () => {
  it('sends one packet per socket, shared by sockets with the same updates', async () => {
    batcher.add(projectUpdate());
    batcher.add({ topics: ['projects'], audience: 'everyone', changes: [change('task', TASK)] });
    batcher.add({ topics: ['meetings'], audience: { users: ['ann', 'ben'] }, changes: [change('meeting', MEETING)] });
    await once(packetEvents, 'packet');
    const sharedChanges = [change('project', PROJECT), change('task', TASK)];
    expect(packets).toEqual([
      { sockets: ['ann'], changes: [...sharedChanges, change('meeting', MEETING)] },
      { sockets: ['ben', 'cleo'], changes: sharedChanges },
    ]);
  });

  it('merges message changes of a conversation into the latest created message and the latest revision', async () => {
    batcher.add(messageUpdate({ action: 'created', version: 9 }));
    batcher.add(messageUpdate({ version: 9, revision: 5 }));
    batcher.add(messageUpdate({ version: 4, revision: 6 }));
    await once(packetEvents, 'packet');
    expect(packets[0]?.changes).toEqual([change('message', PROJECT, { action: 'created', version: 9, revision: 6 })]);
  });

  it('merges created messages of a conversation into a range, regardless of edits', async () => {
    batcher.add(messageUpdate({ version: 3, revision: 5 }));
    for (const version of [7, 9, 8]) batcher.add(messageUpdate({ action: 'created', version }));
    await once(packetEvents, 'packet');
    const mergedChange = change('message', PROJECT, { action: 'created', version: 9, from: 7, revision: 5 });
    expect(packets[0]?.changes).toEqual([mergedChange]);
  });

  it('throttles a conversation change for many sockets, but not for affected users, and skips sockets that left meanwhile', async () => {
    const room = conversationRoom(PROJECT);
    const socketIds = Array.from({ length: MAX_IMMEDIATE_RECIPIENTS + 50 }, (_, at) => `socket ${at}`);
    for (const id of socketIds) void live.adapter.addAll(id, new Set([room]));
    const renameUpdate = { topics: [], changes: [change('conversation', PROJECT, { changed: ['title'] })] };
    batcher.add({ ...renameUpdate, audience: { conversation: PROJECT, users: [] } });
    batcher.add({ ...renameUpdate, topics: ['meetings'], audience: { users: ['ann'] } });
    await once(packetEvents, 'packet');
    expect(packets.map(({ sockets }) => sockets)).toEqual([['ann'], socketIds.slice(0, 100).sort()]);
    for (const id of socketIds.slice(100, 110)) void live.adapter.del(id, room);
    await once(packetEvents, 'packet');
    await once(packetEvents, 'packet');
    expect(packets.slice(2).map(({ sockets }) => sockets)).toEqual([
      socketIds.slice(110, 200).sort(),
      socketIds.slice(200).sort(),
    ]);
  });

  it('throttles an edited message for many sockets, but not a new message', async () => {
    const socketIds = Array.from({ length: MAX_IMMEDIATE_RECIPIENTS + 50 }, (_, at) => `socket ${at}`);
    for (const id of socketIds) void live.adapter.addAll(id, new Set([conversationRoom(PROJECT)]));
    const add = (action: Change['action']) =>
      batcher.add({
        topics: [],
        audience: { conversation: PROJECT, users: [] },
        changes: [change('message', PROJECT, { action })],
      });
    add('created');
    await once(packetEvents, 'packet');
    expect(packets.splice(0).map(({ sockets }) => sockets.length)).toEqual([250]);
    add('updated');
    for (let packetNumber = 0; packetNumber < 3; packetNumber += 1) await once(packetEvents, 'packet');
    expect(packets.map(({ sockets }) => sockets.length)).toEqual([100, 100, 50]);
  });

  it('does not throttle a conversation change up to the limit of recipients', async () => {
    const socketIds = Array.from({ length: MAX_IMMEDIATE_RECIPIENTS }, (_, at) => `socket ${at}`);
    for (const id of socketIds) void live.adapter.addAll(id, new Set([conversationRoom(PROJECT)]));
    const update = {
      topics: [],
      audience: { conversation: PROJECT, users: [] },
      changes: [change('conversation', PROJECT)],
    };
    batcher.add(update);
    await once(packetEvents, 'packet');
    expect(packets[0]?.sockets).toEqual(socketIds.sort());
  });

  it('marks a meeting change with asAdmin only for administrators who are not invited', async () => {
    for (const id of ['ann', 'ben'])
      void live.adapter.addAll(id, new Set([ADMINS, userRoom(id), topicRoom('meetings')]));
    const update = { topics: ['meetings'] as const, changes: [change('meeting', MEETING)] };
    batcher.add({ ...update, audience: { users: ['ann', 'cleo'] } });
    batcher.add({
      ...update,
      audience: { users: [], admins: true },
      changes: [change('meeting', MEETING, { asAdmin: true })],
    });
    await once(packetEvents, 'packet');
    expect(packets).toEqual([
      { sockets: ['ann'], changes: [change('meeting', MEETING)] },
      { sockets: ['ben'], changes: [change('meeting', MEETING, { asAdmin: true })] },
    ]);
  });

  it('merges changes of a resource into the latest one', async () => {
    batcher.add(projectUpdate({ changed: ['name'] }));
    batcher.add(projectUpdate({ version: 3, changed: ['status'] }));
    batcher.add(projectUpdate({ version: 0, action: 'deleted' }));
    await once(packetEvents, 'packet');
    expect(packets.map((packet) => packet.changes)).toEqual([
      [change('project', PROJECT, { version: 0, action: 'deleted' })],
    ]);
  });
});
