import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { Conversation, getUnread } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aGroup, ask, send } from './factories.ts';
import { people, service } from './running-chat.ts';

const NAMES = ['member', 'ben', 'cleo'] as const;
type Name = (typeof NAMES)[number];
type Unread = ResponseOf<typeof getUnread>;
const name = fc.constantFrom(...NAMES);

const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), who: name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), who: name, seq: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('readAll' as const), who: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('comeBack' as const), who: fc.constant('cleo' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function run(id: string, step: Command): Promise<void> {
  if (step.do === 'send') await send(service, people[step.who], id);
  else if (step.do === 'comeBack') await comeBack(id);
  else {
    const body = step.do === 'read' ? { seq: step.seq } : {};
    await ask(service, people[step.who], ['POST', `/chat/conversations/${id}/read`, body]);
  }
}

/** Cleo is removed and added again by the creator: from then on everything so far counts as read. */
async function comeBack(id: string): Promise<void> {
  const path = `/chat/conversations/${id}/participants`;
  await ask(service, people.member, ['DELETE', `${path}/${people.cleo._id}`]);
  await ask(service, people.member, ['POST', path, { userId: people.cleo._id }]);
}

/** The rule itself, counted out (decisions, section 7). */
const unreadOf = (who: Name, messages: readonly { seq: number; sender: string }[], lastRead: number) =>
  messages.filter(({ seq, sender }) => seq > lastRead && sender !== people[who]._id).length;

const see = (who: Name, id: string) => ask<Conversation>(service, people[who], ['GET', `/chat/conversations/${id}`]);

describe('unread counts', () => {
  it('are what others wrote beyond the watermark after any sequence of sends and reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (steps) => {
        const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
        const messages: { seq: number; sender: string }[] = [];
        const lastRead: Record<Name, number> = { member: 0, ben: 0, cleo: 0 };
        for (const step of steps) {
          await run(_id, step);
          if (step.do === 'send') messages.push({ seq: messages.length + 1, sender: people[step.who]._id });
          if (step.do === 'read') {
            lastRead[step.who] = Math.max(lastRead[step.who], Math.min(step.seq, messages.length));
          }
          if (step.do === 'readAll' || step.do === 'comeBack') lastRead[step.who] = messages.length;
        }
        for (const who of NAMES) {
          expect(await see(who, _id)).toMatchObject({
            lastReadSeq: lastRead[who],
            unreadCount: unreadOf(who, messages, lastRead[who]),
          });
          const inAll = await ask<Unread>(service, people[who], ['GET', '/chat/unread']);
          const here = inAll.unread.find(({ conversation }) => conversation === _id);
          expect(here?.count ?? 0).toBe(unreadOf(who, messages, lastRead[who]));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('stay right when everything happens at once', async () => {
    const atOnce = fc.array(
      fc.array(
        command.filter(({ do: what }) => what !== 'comeBack'),
        { maxLength: 10 },
      ),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(atOnce, async (rounds) => {
        const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
        for (const round of rounds) await Promise.all(round.map((step) => run(_id, step)));
        const { data } = await ask<{ data: Message[] }>(service, people.ben, [
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
