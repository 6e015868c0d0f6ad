import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ReadState } from '@atrium/proto-events/realtime';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { NOTHING_UNREAD, type UnreadResponse } from './read-states.ts';
import { createUnread } from './unread.ts';

const ME = buildUser('e');
const NAMES = ['a', 'b', 'c'];

const name = fc.constantFrom(...NAMES);
const action = <Do extends string>(kind: Do, weight: number) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(kind), in: name, number: fc.nat(9) }),
});
const step = fc.oneof(
  action('receive', 5),
  action('edit', 1),
  action('send', 2),
  action('read elsewhere', 2),
  action('mark unread', 2),
  action('show', 2),
  action('send read', 2),
  action('deliver', 5),
  action('deliver twice', 1),
  action('disconnect', 1),
  action('request', 2),
  action('process', 4),
  action('respond', 4),
  action('request list', 1),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A conversation on the server; true for the user's own messages. */
type Conversation = { messages: boolean[]; mentions: Set<number>; lastReadSeq: number; readRevision: number };
const NO_CONVERSATION: Conversation = { messages: [], mentions: new Set(), lastReadSeq: 0, readRevision: 0 };
type Request = { kind: 'unread' | 'list'; respond: (() => Promise<void>) | null };

const withMention = (message: Message, isMention: boolean): Message => ({
  ...message,
  mentions: { users: isMention ? [ME] : [], here: false, everyone: false, groups: [] },
});

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % Math.max(1, items.length)];

const start = fc.record({ messages: fc.array(fc.boolean(), { maxLength: 4 }), unread: fc.nat(2) });

/** A server whose events and responses arrive in any order, and a browser that counts unread messages. */
function simulate(starts: readonly { messages: boolean[]; unread: number }[], maxListed: number) {
  const conversations = new Map<string, Conversation>(
    NAMES.map((name, index) => {
      const { messages = [], unread = 0 } = starts[index] ?? {};
      return [
        name,
        {
          messages: [...messages],
          mentions: new Set(),
          lastReadSeq: Math.max(0, messages.length - unread),
          readRevision: 0,
        },
      ];
    }),
  );
  const stateOf = (conversation: string): ReadState => {
    const { messages, lastReadSeq, readRevision } = conversations.get(conversation) ?? NO_CONVERSATION;
    const unreadCount = messages.slice(lastReadSeq).filter((isOwn) => !isOwn).length;
    return { conversation, lastSeq: messages.length, lastReadSeq, unreadCount, readRevision };
  };
  const mentionsOf = (conversation: string) => conversations.get(conversation)?.mentions ?? new Set<number>();
  const unreadMentionsOf = (conversation: string) =>
    [...mentionsOf(conversation)].filter((seq) => seq > stateOf(conversation).lastReadSeq).sort((a, b) => a - b);
  const getUnread = (): UnreadResponse => {
    const unread = NAMES.map(stateOf).filter(({ unreadCount }) => unreadCount > 0);
    return {
      total: unread.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
      threads: 0,
      unread: unread.slice(0, maxListed).map(({ conversation, lastSeq, unreadCount: count, readRevision }) => ({
        conversation,
        lastSeq,
        readRevision,
        count,
        mentions: unreadMentionsOf(conversation),
      })),
    };
  };
  const listConversations = () => NAMES.map((name) => buildConversation({ _id: name, ...stateOf(name) }));

  // The read positions of an earlier list are known, but not its counts, which would be requested again.
  const firstList = listConversations().map((conversation) => ({ ...conversation, unreadCount: 0 }));
  let states = NOTHING_UNREAD;
  const unread = createUnread({
    owner: () => ME._id,
    get: () => states,
    change(_owner, edit) {
      states = edit(states);
      return states;
    },
  });
  const events = unread.eventsOf(() => ME._id);
  let inFlight: (() => void)[] = [];
  let unsentReads: { conversation: string; seq: number; revision: number }[] = [];
  let requests: Request[] = [];

  const addMessage = (conversation: string, isOwn: boolean, isMention = false) => {
    const seq = conversations.get(conversation)?.messages.push(isOwn) ?? 0;
    const message = withMention(buildMessage(seq, { conversation, sender: isOwn ? ME : buildUser('b') }), isMention);
    if (isMention) mentionsOf(conversation).add(seq);
    const { unreadCount, readRevision } = stateOf(conversation);
    const isPersonal = isOwn && unreadCount + readRevision > 0;
    inFlight.push(() => events['message:new']({ message, ...(isPersonal && { unreadCount, readRevision }) }));
  };
  const latestEdits = new Map<string, () => void>();
  /** Edits the last message so that it mentions the user, or does not anymore. */
  const editMessage = (conversation: string, isMention: boolean) => {
    const messages = conversations.get(conversation)?.messages ?? [];
    const seq = messages.length;
    if (seq === 0 || messages.at(-1) === true) return;
    mentionsOf(conversation)[isMention ? 'add' : 'delete'](seq);
    const message = withMention(
      buildMessage(seq, { _id: `${conversation}${seq}`, conversation, sender: buildUser('b') }),
      isMention,
    );
    // A later edit supersedes an earlier one that is still in flight.
    inFlight = inFlight.filter((event) => event !== latestEdits.get(message._id));
    const edit = () => events['message:updated']({ message, revision: seq });
    latestEdits.set(message._id, edit);
    inFlight.push(edit);
  };
  const read = (conversation: string, seq: number) => {
    const stored = conversations.get(conversation);
    if (!stored || seq <= stored.lastReadSeq) return;
    stored.lastReadSeq = seq;
    const state = stateOf(conversation);
    inFlight.push(() => events['conversation:state'](state));
  };
  const markUnread = (conversation: string, seq: number) => {
    const stored = conversations.get(conversation);
    if (!stored || seq > stored.lastReadSeq) return;
    stored.lastReadSeq = Math.max(0, seq - 1);
    stored.readRevision += 1;
    const state = stateOf(conversation);
    inFlight.push(() => events['conversation:state'](state));
  };
  const seqBefore = (conversation: string, back: number) => Math.max(0, stateOf(conversation).lastSeq - (back % 3));
  const request = (kind: Request['kind']) => {
    const sent: Request = { kind, respond: null };
    requests.push(sent);
    if (kind === 'list') return;
    const response = Promise.withResolvers<UnreadResponse>();
    const done = unread.request(() => response.promise);
    pendingResponses.set(sent, async (body) => {
      response.resolve(body);
      await done;
    });
  };
  const pendingResponses = new Map<Request, (body: UnreadResponse) => Promise<void>>();
  const process = (sent: Request | undefined) => {
    if (!sent || sent.respond) return;
    const [body, list] = [getUnread(), listConversations()];
    sent.respond = async () => {
      requests = requests.filter((other) => other !== sent);
      if (sent.kind === 'list') unread.recordListed(list);
      else await pendingResponses.get(sent)?.(body);
    };
  };
  const run: Record<Step['do'], (step: Step) => void | Promise<void>> = {
    receive: ({ in: conversation, number }) => addMessage(conversation, false, number < 4),
    edit: ({ in: conversation, number }) => editMessage(conversation, number < 5),
    send: ({ in: conversation }) => addMessage(conversation, true),
    'read elsewhere': ({ in: conversation, number }) => read(conversation, seqBefore(conversation, number)),
    'mark unread': ({ in: conversation, number }) => markUnread(conversation, seqBefore(conversation, number)),
    show({ in: conversation, number }) {
      const seq = seqBefore(conversation, number);
      const revision = unread.revisionIn(buildConversation({ _id: conversation }));
      unread.recordSeen(conversation, seq);
      unsentReads.push({ conversation, seq, revision });
    },
    'send read'() {
      for (const { conversation, seq, revision } of unsentReads)
        if (revision >= stateOf(conversation).readRevision) read(conversation, seq);
      unsentReads = [];
    },
    deliver({ number }) {
      const event = pick(inFlight, number);
      inFlight = inFlight.filter((other) => other !== event);
      event?.();
    },
    'deliver twice': ({ number }) => pick(inFlight, number)?.(),
    /** Loses all events, so that everything shown is requested again. */
    disconnect() {
      inFlight = [];
      for (const kind of new Set(requests.map((sent) => sent.kind)).add('unread')) request(kind);
    },
    request: () => request('unread'),
    'request list': () => request('list'),
    process: ({ number }) => process(pick(requests, number)),
    async respond({ number }) {
      await pick(
        requests.filter(({ respond }) => respond),
        number,
      )?.respond?.();
    },
  };
  const settle = async (lastStep: Step) => {
    await run['send read'](lastStep);
    while (requests.length + inFlight.length > 0) {
      await run.deliver(lastStep);
      process(requests.at(-1));
      process(requests[0]);
      await requests.find(({ respond }) => respond)?.respond?.();
    }
  };
  unread.onMarkedUnread(() => request('unread'));
  // A browser requests everything when it starts.
  request('unread');
  const shownCounts = () => firstList.map((conversation) => unread.countIn(conversation));
  const shownMentions = () => firstList.map((conversation) => unread.mentionsIn(conversation));
  return {
    run: (next: Step) => run[next.do](next),
    settle,
    refetch: () => request('unread'),
    shown: () => ({ total: unread.total(), counts: shownCounts(), mentions: shownMentions() }),
    onServer: () => ({
      total: getUnread().total,
      counts: NAMES.map((name) => stateOf(name).unreadCount),
      mentions: NAMES.map((name) => unreadMentionsOf(name).length),
    }),
  };
}

const LAST: Step = { do: 'deliver', in: 'a', number: 0 };

it('counts of unread messages and mentions equal those of the server once everything has arrived, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(start, { maxLength: 3 }), fc.array(step, { maxLength: 60 }), async (starts, steps) => {
      const { run, settle, shown, onServer } = simulate(starts, NAMES.length);
      for (const next of steps) await run(next);
      await settle(steps.at(-1) ?? LAST);
      expect(shown()).toEqual(onServer());
    }),
    { numRuns: 2_000 },
  );
});

it('the total equals that of a response that does not list all conversations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(start, { maxLength: 3 }), fc.array(step, { maxLength: 60 }), async (starts, steps) => {
      const { run, settle, refetch, shown, onServer } = simulate(starts, 1);
      for (const next of steps) await run(next);
      await settle(steps.at(-1) ?? LAST);
      refetch();
      await settle(LAST);
      expect(shown().total).toBe(onServer().total);
    }),
    { numRuns: 1_000 },
  );
});
