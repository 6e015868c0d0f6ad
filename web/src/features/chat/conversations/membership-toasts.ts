import type { UserSummary } from '@atrium/proto-events/people';
import { isolate } from '@atrium/proto-events/text/isolate';
import { nameOrCount, type PersonLike } from '../../../entities/user/person.ts';
import { showSuccess } from '../../../ui/overlays/toast.ts';

/** So long it waits for more of the same: who adds fifty people adds them one after the other. */
const GATHER_MS = 500;

type Kind = 'added to' | 'removed from';

/** Tells who was added to conversations, or removed, once for all that come shortly after each other. */
export function membershipNews() {
  const waiting = new Map<Kind, PersonLike[]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const [kind, people] of waiting) tellMembership(kind, people);
    waiting.clear();
  };
  return {
    /** Without a person where they need not be told, as what was done here oneself. */
    note(kind: Kind, person: UserSummary | null): void {
      if (person) waiting.set(kind, [...(waiting.get(kind) ?? []), person]);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}

/** 'Lena Brandt added to the conversation', '50 people added to the conversation'. */
export function tellMembership(kind: Kind, people: readonly PersonLike[]): void {
  if (people.length > 0) showSuccess(`${isolate(nameOrCount(people))} ${kind} the conversation`);
}
