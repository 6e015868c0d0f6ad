import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createGroup, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';

const NAMES = ['member', 'ben', 'cleo'] as const;
type Name = (typeof NAMES)[number];
type Unread = ResponseOf<typeof getUnread>;
const name = fc.constantFrom(...NAMES);

const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), who: name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), who: name, seq: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('readAll' as const), who: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rejoin' as const), who: fc.constant('cleo' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function run(id: string, step: Command): Promise<void> {
  if (step.do === 'send') await send(service, people[step.who], id);
  else if (step.do === 'rejoin') await rejoin(id);
  else {
    const body = step.do === 'read' ? { seq: step.seq } : {};
    await request(service, people[step.who], ['POST', `/chat/conversations/${id}/read`, body]);
  }
}

/** Removes and adds Cleo, which marks all messages as read. */
async function rejoin(id: string): Promise<void> {
  const path = `/chat/conversations/${id}/participants`;
  await request(service, people.member, ['DELETE', `${path}/${people.cleo._id}`]);
  await request(service, people.member, ['POST', path, { userId: people.cleo._id }]);
}

/** The definition. */
const unreadOf = (who: Name, messages: readonly { seq: number; sender: string }[], lastRead: number) =>
  messages.filter(({ seq, sender }) => seq > lastRead && sender !== people[who]._id).length;

const see = (who: Name, id: string) =>
  request<Conversation>(service, people[who], ['GET', `/chat/conversations/${id}`]);

describe('unread counts', () => {
  it('equal the messages of others after the watermark for any sequence of sends and reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (steps) => {
        const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
        const messages: { seq: number; sender: string }[] = [];
        const lastRead: Record<Name, number> = { member: 0, ben: 0, cleo: 0 };
        for (const step of steps) {
          await run(_id, step);
          if (step.do === 'send') messages.push({ seq: messages.length + 1, sender: people[step.who]._id });
          if (step.do === 'read') {
            lastRead[step.who] = Math.max(lastRead[step.who], Math.min(step.seq, messages.length));
          }
          if (step.do === 'readAll' || step.do === 'rejoin') lastRead[step.who] = messages.length;
        }
        for (const who of NAMES) {
          expect(await see(who, _id)).toMatchObject({
            lastReadSeq: lastRead[who],
            unreadCount: unreadOf(who, messages, lastRead[who]),
          });
          const inAll = await request<Unread>(service, people[who], ['GET', '/chat/unread']);
          const here = inAll.unread.find(({ conversation }) => conversation === _id);
          expect(here?.count ?? 0).toBe(unreadOf(who, messages, lastRead[who]));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('are correct after concurrent sends and reads', async () => {
    const concurrentCommands = fc.array(
      fc.array(
        command.filter(({ do: what }) => what !== 'rejoin'),
        { maxLength: 10 },
      ),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(concurrentCommands, async (rounds) => {
        const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
        for (const round of rounds) await Promise.all(round.map((step) => run(_id, step)));
        const { data } = await request<{ data: Message[] }>(service, people.ben, [
          'GET',
          `/chat/messages?conversation=${_id}&limit=100`,
        ]);
        const messages = data.map(({ seq, sender }) => ({ seq, sender: sender._id }));
        expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
        for (const who of NAMES) {
          const seen = await see(who, _id);
          expect(seen.unreadCount).toBe(unreadOf(who, messages, seen.lastReadSeq));
        }
      }),
      { numRuns: 25 },
    );
  });
});
