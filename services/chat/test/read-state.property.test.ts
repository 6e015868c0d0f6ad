import { randomUUID } from 'node:crypto';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { ReadState } from '@atrium/proto-events/realtime';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { createGroup, request } from './factories.ts';
import { people, service } from './running-chat.ts';
import { closeSockets, connectChat } from './sockets.ts';

const NAMES = ['member', 'ben', 'cleo'] as const;
type Name = (typeof NAMES)[number];

const command = fc.record({
  userName: fc.constantFrom(...NAMES),
  action: fc.oneof(
    { weight: 3, arbitrary: fc.constant('send' as const) },
    { weight: 1, arbitrary: fc.constant('retry' as const) },
    { weight: 2, arbitrary: fc.constant('readAll' as const) },
    { weight: 2, arbitrary: fc.nat(20).map((seq) => ({ seq })) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }).map((unread) => ({ unread })) },
  ),
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function run(conversation: string, { userName, action }: Command): Promise<void> {
  const user = people[userName];
  if (action !== 'send' && action !== 'retry') {
    const path = `/chat/conversations/${conversation}`;
    if (typeof action === 'object' && 'unread' in action) {
      // There may be no such message.
      await service.call('POST', `${path}/unread`, { as: user, body: { seq: action.unread } });
      return;
    }
    const body = action === 'readAll' ? {} : action;
    return request(service, user, ['POST', `${path}/read`, body]);
  }
  const body = { conversation, content: 'Hello', clientMessageId: randomUUID() };
  const attempts = Array.from({ length: action === 'retry' ? 2 : 1 }, () =>
    request(service, user, ['POST', '/chat/messages', body]),
  );
  await Promise.all(attempts);
}

type State = Pick<ReadState, 'lastSeq' | 'unreadCount' | 'readRevision'>;

/** Never decreases for a user within a revision. */
const countRead = ({ lastSeq, unreadCount }: State) => lastSeq - unreadCount;

const max = (values: readonly number[]) => Math.max(0, ...values);

/** The states of the last revision. */
function latest<Item extends { readRevision: number }>(states: readonly Item[]): Item[] {
  const revision = max(states.map(({ readRevision }) => readRevision));
  return states.filter(({ readRevision }) => readRevision === revision);
}

/** Connects a device that knows only what its socket receives. */
async function connectDevice(userName: Name) {
  const user = people[userName];
  const { all, socket } = await connectChat(service, user);
  const states: State[] = [];
  socket.on('conversation:state', (state) => states.push(state));
  socket.on('message:new', ({ message, unreadCount = 0, readRevision = 0 }) => {
    if (message.sender._id === user._id) states.push({ lastSeq: message.seq, unreadCount, readRevision });
  });
  const listSeqs = () => all('message:new').map(({ message }) => message.seq);
  return {
    userName,
    states,
    listSeqs,
    combineStates() {
      const lastSeq = max(listSeqs());
      const lastReadSeq = max(latest(all('conversation:state')).map((state) => state.lastReadSeq));
      const readRevision = max(states.map((state) => state.readRevision));
      return { lastSeq, lastReadSeq, unreadCount: lastSeq - max(latest(states).map(countRead)), readRevision };
    },
  };
}

async function fetchState(userName: Name, id: string) {
  const path = `/chat/conversations/${id}`;
  const conversation = await request<Conversation>(service, people[userName], ['GET', path]);
  const { lastSeq, lastReadSeq, unreadCount, readRevision } = conversation;
  return { lastSeq, lastReadSeq, unreadCount, readRevision };
}

const fetchStates = async (id: string) => ({
  member: await fetchState('member', id),
  ben: await fetchState('ben', id),
  cleo: await fetchState('cleo', id),
});

describe('the state of a conversation on the sockets of its users', () => {
  it('equals that of the database after concurrent sends, reads, and retries, and never goes back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(command, { maxLength: 12 }), { maxLength: 3 }), async (rounds) => {
        const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
        const devices = await Promise.all([...NAMES, ...NAMES].map(connectDevice));
        for (const round of rounds) {
          const before = await fetchStates(_id);
          const counts = devices.map((device) => device.states.length);
          await Promise.all(round.map((step) => run(_id, step)));
          // Arrives after all other events of the round.
          await run(_id, { userName: 'member', action: 'send' });
          const after = await fetchStates(_id);
          const seqs = Array.from({ length: after.member.lastSeq }, (_, index) => index + 1);
          for (const [index, device] of devices.entries()) {
            await waitFor(() => device.listSeqs().length >= seqs.length, { description: 'all messages to arrive' });
            expect(device.listSeqs().sort((a, b) => a - b)).toEqual(seqs);
            expect(device.combineStates()).toEqual(after[device.userName]);
            for (const state of device.states.slice(counts[index])) {
              expect(state.unreadCount).toBeGreaterThanOrEqual(0);
              const earlier = before[device.userName];
              expect(state.readRevision).toBeGreaterThanOrEqual(earlier.readRevision);
              if (state.readRevision === earlier.readRevision)
                expect(countRead(state)).toBeGreaterThanOrEqual(countRead(earlier));
            }
          }
        }
        closeSockets();
      }),
      { numRuns: 20 },
    );
  });

  it('includes a message of the reader that is committed while they read', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await run(_id, { userName: 'ben', action: 'send' });
    const member = await connectChat(service, people.member);
    const db = new pg.Client({ connectionString: service.env.DATABASE_URL });
    await db.connect();
    await db.query('begin');
    await db.query(
      `with counted as (
         update participants set own_after_read = 1 where conversation_id = $1 and user_id = $2
       ), bumped as (update conversations set last_seq = 2 where conversation_id = $1)
       insert into messages (conversation_id, seq, message_id, sender_id, content, type) values ($1, 2, 'own', $2, 'x', 'text')`,
      [_id, people.member._id],
    );
    const reading = run(_id, { userName: 'member', action: { seq: 1 } });
    await waitFor(
      async () => {
        const blocked = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
        return (await service.query(blocked)).length > 0;
      },
      { description: 'the read to wait for the message' },
    );
    await db.query('commit');
    await db.end();
    await reading;
    expect(await member.receives('conversation:state')).toEqual({
      conversation: _id,
      lastSeq: 2,
      lastReadSeq: 1,
      unreadCount: 0,
      readRevision: 0,
    });
  });
});
