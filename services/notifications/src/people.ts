import type { DirectoryUser } from '@atrium/proto-events/people';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Recipient } from './email/queue-mails.ts';

const SETTLE_MS = 2_000;

/**
 * The people behind ids. An event can be ahead of the directory: somebody who is not known yet is waited for a moment, then the
 * event is tried again later. Those who have left since are left out.
 */
export async function findPeople(directory: Directory, ids: Iterable<string>): Promise<DirectoryUser[]> {
  const people = await Promise.all([...new Set(ids)].map((id) => findPerson(directory, id)));
  return people.filter(isActive);
}

async function findPerson(directory: Directory, id: string): Promise<DirectoryUser> {
  await directory.whenUser(id, (user) => user !== undefined, SETTLE_MS);
  const person = directory.user(id);
  if (!person) throw new Error(`person ${id} is not in the directory yet`);
  return person;
}

export function fullName({ firstName, lastName, email }: DirectoryUser): string {
  return normalizeName(`${firstName} ${lastName}`) || email;
}

/** The name of somebody who acted; null where it was the system, or somebody who is unknown or gone. */
export function actorName(directory: Directory, id: string | null): string | null {
  const user = id === null ? undefined : directory.user(id);
  return user && !user.deleted ? fullName(user) : null;
}

/** As calendars name the organiser; of who was deleted nothing is left, and who sends the mails stands for them. */
export function toOrganizer(person: DirectoryUser, mailAddress: string) {
  if (person.deleted) return { organizer: { name: fullName(person), address: mailAddress } };
  return { organizer: { name: fullName(person), address: person.email }, sentBy: mailAddress };
}

export function toRecipient(person: DirectoryUser): Recipient {
  return {
    id: person._id,
    name: fullName(person),
    firstName: person.firstName,
    address: person.email,
    timezone: person.timezone,
  };
}
