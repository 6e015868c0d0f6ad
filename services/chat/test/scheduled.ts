import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ScheduledMessage } from '@atrium/proto-events/http/chat/scheduled';
import { waitFor } from '@atrium/test-kit/wait-for';
import { createGroup, type People, request } from './factories.ts';
import { people, service } from './running-chat.ts';

export type As = keyof People;
type Extra = { thread?: string; alsoInConversation?: boolean; clientMessageId?: string; content?: string };

const MINUTE_MS = 60_000;
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

export const bodyOf = (conversation: string, extra: Extra = {}) => ({
  conversation,
  content: 'Good morning',
  sendAt: inMinutes(60),
  ...extra,
});
export const schedule = (as: As, conversation: string, extra?: Extra) =>
  request<ScheduledMessage>(service, people[as], ['POST', '/chat/messages', bodyOf(conversation, extra)]);
export const list = async (as: As) =>
  (await request<{ data: ScheduledMessage[] }>(service, people[as], ['GET', '/chat/scheduled?limit=100'])).data;
export const find = async (as: As, { _id }: ScheduledMessage) => (await list(as)).find((other) => other._id === _id);
export const messagesIn = async (conversation: string, as: As = 'member') =>
  (
    await request<{ data: Message[] }>(service, people[as], [
      'GET',
      `/chat/messages?conversation=${conversation}&limit=100`,
    ])
  ).data;

/** Moves the due time of a scheduled message to the past, as if the time had come. */
export const makeDue = ({ _id }: ScheduledMessage, age = '1 second') =>
  service.query('update scheduled_messages set send_at = clock_timestamp() - $2::interval where scheduled_id = $1', [
    _id,
    age,
  ]);
export const untilFailed = (as: As, scheduled: ScheduledMessage) =>
  waitFor(async () => (await find(as, scheduled))?.failure ?? undefined, { description: 'the failure to be recorded' });

export async function startConversation() {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  return _id;
}
