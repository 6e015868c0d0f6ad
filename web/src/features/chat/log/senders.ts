import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { UserSummary } from '@atrium/proto-events/people';
import { keepAsking } from './gap-poller.ts';
import type { Logs } from './logs.ts';
import { withSenders } from './message-log.ts';

/** All browsers are told of a new name in one moment. */
const WITHIN_MS = 2_000;

type Given = {
  logs: Pick<Logs, 'all' | 'writerOfAll'>;
  /** Reads those of these people who are there. */
  readPeople: (ids: readonly string[]) => Promise<UserSummary[]>;
  /** Of whoever is signed in: who is to be read. */
  waiting: () => Set<string>;
};

/** Keeps the names and pictures of who wrote the messages that are held: each message brings its sender's of the moment when it was read. */
export function createSenders({ logs, readPeople, waiting }: Given) {
  let noted = 0;
  const asking = keepAsking({
    missed: () => (waiting().size > 0 ? noted : null),
    async ask() {
      const present = waiting();
      const wanted = [...present];
      const write = logs.writerOfAll();
      // Who is renamed while this is on its way is noted anew.
      present.clear();
      try {
        const found = new Map((await readPeople(wanted)).map((person) => [person._id, person]));
        const people = new Map(wanted.map((id) => [id, found.get(id) ?? deletedPerson(id)]));
        write((log) => withSenders(log, people));
      } catch (error) {
        for (const id of wanted) present.add(id);
        throw error;
      }
    },
  });
  return {
    /** These people are named otherwise, or are gone; null: nobody knows who. */
    note(people: readonly string[] | null): void {
      const held = logs.all().flatMap(({ messages, ahead }) => [...messages, ...ahead]);
      const senders = new Set(held.filter(isOfPerson).map(({ sender }) => sender._id));
      for (const id of people ?? senders) if (senders.has(id)) waiting().add(id);
      noted += 1;
      if (waiting().size > 0) setTimeout(asking.look, Math.random() * WITHIN_MS);
    },
  };
}

const isOfPerson = ({ sender }: Message) => !sender.system;

/** As servers answer of who is no more. */
const deletedPerson = (_id: string): UserSummary => ({ _id, firstName: 'Deleted', lastName: 'user', deleted: true });
