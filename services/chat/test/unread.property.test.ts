import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createGroup, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';

const NAMES = ['member', 'ben', 'cleo'] as const;
type Name = (typeof NAMES)[number];
type Unread = ResponseOf<typeof getUnread>;
const name = fc.constantFrom(...NAMES);

const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ action: fc.constant('send' as const), userName: name }) },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('read' as const), userName: name, seq: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('readAll' as const), userName: name }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('unread' as const), userName: name, seq: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('rejoin' as const), userName: fc.constant('cleo' as const) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function run(id: string, step: Command): Promise<void> {
  if (step.action === 'send') await send(service, people[step.userName], id);
  else if (step.action === 'rejoin') await rejoin(id);
  // There may be no such message.
  else if (step.action === 'unread')
    await service.call('POST', `/chat/conversations/${id}/unread`, {
      as: people[step.userName],
      body: { seq: step.seq },
    });
  else {
    const body = step.action === 'read' ? { seq: step.seq } : {};
    await request(service, people[step.userName], ['POST', `/chat/conversations/${id}/read`, body]);
  }
}

/** Removes and adds Cleo, which marks all messages as read. */
async function rejoin(id: string): Promise<void> {
  const path = `/chat/conversations/${id}/participants`;
  await request(service, people.member, ['DELETE', `${path}/${people.cleo._id}`]);
  await request(service, people.member, ['POST', path, { userId: people.cleo._id }]);
}

type Sent = { seq: number; sender: string };

/** The position before a message, or before the last one of others if only own ones follow. */
function unreadPosition(
  userName: Name,
  messages: readonly Sent[],
  { seq, lastRead }: { seq: number; lastRead: number },
) {
  if (seq === 0 || seq > messages.length) return lastRead;
  const last = messages.findLast(({ sender }) => sender !== people[userName]._id)?.seq ?? seq;
  return Math.min(lastRead, Math.min(seq, last) - 1);
}

/** The definition of the unread count. */
const countUnread = (userName: Name, messages: readonly Sent[], lastRead: number) =>
  messages.filter(({ seq, sender }) => seq > lastRead && sender !== people[userName]._id).length;

const getConversation = (userName: Name, id: string) =>
  request<Conversation>(service, people[userName], ['GET', `/chat/conversations/${id}`]);

describe('unread counts', () => {
  it('equal the messages of others after the read position for any sequence of sends and reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (steps) => {
        const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
        const messages: Sent[] = [];
        const lastRead: Record<Name, number> = { member: 0, ben: 0, cleo: 0 };
        for (const step of steps) {
          await run(_id, step);
          if (step.action === 'send') messages.push({ seq: messages.length + 1, sender: people[step.userName]._id });
          if (step.action === 'read') {
            lastRead[step.userName] = Math.max(lastRead[step.userName], Math.min(step.seq, messages.length));
          }
          if (step.action === 'unread') {
            const { userName, seq } = step;
            lastRead[userName] = unreadPosition(userName, messages, { seq, lastRead: lastRead[userName] });
          }
          if (step.action === 'readAll' || step.action === 'rejoin') lastRead[step.userName] = messages.length;
        }
        for (const userName of NAMES) {
          expect(await getConversation(userName, _id)).toMatchObject({
            lastReadSeq: lastRead[userName],
            unreadCount: countUnread(userName, messages, lastRead[userName]),
          });
          const unreadList = await request<Unread>(service, people[userName], ['GET', '/chat/unread']);
          const unreadEntry = unreadList.unread.find(({ conversation }) => conversation === _id);
          expect(unreadEntry?.count ?? 0).toBe(countUnread(userName, messages, lastRead[userName]));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('are correct after concurrent sends and reads', async () => {
    const concurrentCommands = fc.array(
      fc.array(
        command.filter(({ action }) => action !== 'rejoin'),
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
        expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
        for (const userName of NAMES) {
          const conversation = await getConversation(userName, _id);
          expect(conversation.unreadCount).toBe(countUnread(userName, messages, conversation.lastReadSeq));
        }
      }),
      { numRuns: 25 },
    );
  });
});
