import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { createGapPoller } from './gap-poller.ts';
import type { Logs } from './logs.ts';
import { withSenders } from './message-log.ts';

/** Spreads the requests of all clients after a name change. */
const WITHIN_MS = 2_000;

type SendersParams = {
  logs: Pick<Logs, 'all' | 'writerOfAll'>;
  /** Fetches the existing users of these ids. */
  fetchSenders: (ids: readonly string[]) => Promise<UserSummary[]>;
  /** Ids to be fetched, scoped to the signed-in user. */
  waiting: () => Set<string>;
};

/** Keeps senders of cached messages up to date: each message includes its sender as of when it was read. */
export function createSenders({ logs, fetchSenders, waiting }: SendersParams) {
  let record = 0;
  const senderPoller = createGapPoller({
    getMissing: () => (waiting().size > 0 ? record : null),
    async fetchMissing() {
      const present = waiting();
      const wanted = [...present];
      const write = logs.writerOfAll();
      // A rename during the request is recorded again.
      present.clear();
      try {
        const found = new Map((await fetchSenders(wanted)).map((person) => [person._id, person]));
        const people = new Map(wanted.map((id) => [id, found.get(id) ?? deletedPerson(id)]));
        write((log) => withSenders(log, people));
      } catch (error) {
        for (const id of wanted) present.add(id);
        throw error;
      }
    },
  });
  return {
    /** These users changed or were deleted; null if it is unknown who. */
    refresh(people: readonly string[] | null): void {
      const held = logs.all().flatMap(({ messages, ahead }) => [...messages, ...ahead]);
      const senders = new Set(held.filter(isOfPerson).map(({ sender }) => sender._id));
      for (const id of people ?? senders) if (senders.has(id)) waiting().add(id);
      record += 1;
      if (waiting().size > 0) setTimeout(senderPoller.check, Math.random() * WITHIN_MS);
    },
  };
}

const isOfPerson = ({ sender }: Message) => !sender.system;

/** As the server presents a deleted user. */
const deletedPerson = (_id: string): UserSummary => ({ _id, firstName: 'Deleted', lastName: 'user', deleted: true });
