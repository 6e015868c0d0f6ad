import { EventEmitter, once } from 'node:events';
import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Server } from 'socket.io';
import { ADMINS, conversationRoom, topicRoom, userRoom } from '../realtime/rooms.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { type ChangeBatcher, createLiveChanges } from './change-batcher.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';
import { MOST_AT_ONCE } from './throttled-delivery.ts';

type Packet = { sockets: string[]; changes: Change[] };

const [PROJECT, TASK, MEETING] = ['a', 'b', 'c'].map((letter) => letter.repeat(24)) as [string, string, string];
let live: LiveNamespace;
let changes: ChangeBatcher;
let packets: Packet[];
let sent: EventEmitter;

beforeEach(() => {
  live = new Server().of('/live');
  packets = [];
  sent = new EventEmitter();
  live.adapter.broadcast = ({ data }, { rooms }) => {
    const [, payload] = data as ['changed', Omit<Packet, 'sockets'>];
    packets.push({ sockets: [...rooms].sort(), changes: payload.changes });
    sent.emit('packet');
  };
  void live.adapter.addAll('ann', new Set([userRoom('ann'), topicRoom('projects'), topicRoom('meetings')]));
  void live.adapter.addAll('ben', new Set([userRoom('ben'), topicRoom('projects')]));
  void live.adapter.addAll('cleo', new Set([userRoom('cleo'), topicRoom('projects')]));
  changes = createLiveChanges(live, () => '', { told: () => ({}), turns: () => 100 });
});
afterEach(() => changes.close());

const change = (resource: Change['resource'], id: string, more: Partial<Change> = {}): Change => ({
  resource,
  id,
  action: 'updated',
  version: 2,
  ...more,
});
const project = (more: Partial<Change> = {}): LiveUpdate => ({
  topics: ['projects'],
  audience: 'everyone',
  changes: [change('project', PROJECT, more)],
});

describe('what is told in one moment', () => {
  it('is one packet for each socket, made once for those who are told the same', async () => {
    changes.tell(project());
    changes.tell({ topics: ['projects'], audience: 'everyone', changes: [change('task', TASK)] });
    changes.tell({ topics: ['meetings'], audience: { users: ['ann', 'ben'] }, changes: [change('meeting', MEETING)] });
    await once(sent, 'packet');
    const ofAll = [change('project', PROJECT), change('task', TASK)];
    expect(packets).toEqual([
      { sockets: ['ann'], changes: [...ofAll, change('meeting', MEETING)] },
      { sockets: ['ben', 'cleo'], changes: ofAll },
    ]);
  });

  it('is of a conversation’s messages the last that was said, although it was edited since, and the last revision', async () => {
    const said = (more: Partial<Change>): LiveUpdate => ({
      topics: ['projects'],
      audience: 'everyone',
      changes: [change('message', PROJECT, more)],
    });
    changes.tell(said({ action: 'created', version: 9 }));
    changes.tell(said({ version: 9, revision: 5 }));
    changes.tell(said({ version: 4, revision: 6 }));
    await once(sent, 'packet');
    expect(packets[0]?.changes).toEqual([change('message', PROJECT, { action: 'created', version: 9, revision: 6 })]);
  });

  it('is of several messages of a conversation from the first that was said to the last, whatever was edited between them', async () => {
    const said = (more: Partial<Change>): LiveUpdate => ({
      topics: ['projects'],
      audience: 'everyone',
      changes: [change('message', PROJECT, more)],
    });
    changes.tell(said({ version: 3, revision: 5 }));
    for (const version of [7, 9, 8]) changes.tell(said({ action: 'created', version }));
    await once(sent, 'packet');
    const all = change('message', PROJECT, { action: 'created', version: 9, from: 7, revision: 5 });
    expect(packets[0]?.changes).toEqual([all]);
  });

  it('of a conversation goes to a crowd by turns, as it takes part by then, and to whoever comes or goes at once', async () => {
    const room = conversationRoom(PROJECT);
    const crowd = Array.from({ length: MOST_AT_ONCE + 50 }, (_, at) => `socket ${at}`);
    for (const id of crowd) void live.adapter.addAll(id, new Set([room]));
    const renamed = { topics: [], changes: [change('conversation', PROJECT, { changed: ['title'] })] };
    changes.tell({ ...renamed, audience: { conversation: PROJECT, users: [] } });
    changes.tell({ ...renamed, topics: ['meetings'], audience: { users: ['ann'] } });
    await once(sent, 'packet');
    expect(packets.map(({ sockets }) => sockets)).toEqual([['ann'], crowd.slice(0, 100).sort()]);
    for (const id of crowd.slice(100, 110)) void live.adapter.del(id, room);
    await once(sent, 'packet');
    await once(sent, 'packet');
    expect(packets.slice(2).map(({ sockets }) => sockets)).toEqual([
      crowd.slice(110, 200).sort(),
      crowd.slice(200).sort(),
    ]);
  });

  it('of an edited message goes to a crowd by turns, too, and of a new one at once', async () => {
    const crowd = Array.from({ length: MOST_AT_ONCE + 50 }, (_, at) => `socket ${at}`);
    for (const id of crowd) void live.adapter.addAll(id, new Set([conversationRoom(PROJECT)]));
    const tell = (action: Change['action']) =>
      changes.tell({
        topics: [],
        audience: { conversation: PROJECT, users: [] },
        changes: [change('message', PROJECT, { action })],
      });
    tell('created');
    await once(sent, 'packet');
    expect(packets.splice(0).map(({ sockets }) => sockets.length)).toEqual([250]);
    tell('updated');
    for (let turn = 0; turn < 3; turn += 1) await once(sent, 'packet');
    expect(packets.map(({ sockets }) => sockets.length)).toEqual([100, 100, 50]);
  });

  it('of a conversation goes to as many at once as ask for nothing that matters', async () => {
    const some = Array.from({ length: MOST_AT_ONCE }, (_, at) => `socket ${at}`);
    for (const id of some) void live.adapter.addAll(id, new Set([conversationRoom(PROJECT)]));
    const told = {
      topics: [],
      audience: { conversation: PROJECT, users: [] },
      changes: [change('conversation', PROJECT)],
    };
    changes.tell(told);
    await once(sent, 'packet');
    expect(packets[0]?.sockets).toEqual(some.sort());
  });

  it('is of a meeting none of theirs for an administrator alone who is not invited', async () => {
    for (const id of ['ann', 'ben'])
      void live.adapter.addAll(id, new Set([ADMINS, userRoom(id), topicRoom('meetings')]));
    const told = { topics: ['meetings'] as const, changes: [change('meeting', MEETING)] };
    changes.tell({ ...told, audience: { users: ['ann', 'cleo'] } });
    changes.tell({
      ...told,
      audience: { users: [], admins: true },
      changes: [change('meeting', MEETING, { asAdmin: true })],
    });
    await once(sent, 'packet');
    expect(packets).toEqual([
      { sockets: ['ann'], changes: [change('meeting', MEETING)] },
      { sockets: ['ben'], changes: [change('meeting', MEETING, { asAdmin: true })] },
    ]);
  });

  it('is of one thing the latest alone, of all fields', async () => {
    changes.tell(project({ changed: ['name'] }));
    changes.tell(project({ version: 3, changed: ['status'] }));
    changes.tell(project({ version: 0, action: 'deleted' }));
    await once(sent, 'packet');
    expect(packets.map((packet) => packet.changes)).toEqual([
      [change('project', PROJECT, { version: 0, action: 'deleted' })],
    ]);
  });
});
