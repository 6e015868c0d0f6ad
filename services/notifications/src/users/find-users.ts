import type { DirectoryUser } from '@atrium/proto-events/people';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { EmailNotice, ReplyTarget } from '../store/records.ts';

export type Recipient = {
  id: string;
  name: string;
  firstName: string;
  address: string;
  timezone: string;
  /** The end of their quiet hours or pause. */
  notBefore?: Date;
  /** Absent for emails that cannot be turned off. */
  notice?: EmailNotice;
  /** Of an email that collects notifications, or is about one; it is withheld if none of them is unread. */
  notificationIds?: string[];
  /** Absent if they cannot reply to the email. */
  replyTarget?: ReplyTarget;
};

const PROPAGATION_TIMEOUT_MS = 2_000;

/**
 * Returns the active users. Events can be ahead of the directory, so it waits briefly for unknown users, then throws
 * for redelivery.
 */
export async function findUsers(directory: Directory, ids: Iterable<string>): Promise<DirectoryUser[]> {
  const users = await Promise.all([...new Set(ids)].map((id) => findUser(directory, id)));
  return users.filter(isActive);
}

/** Waits briefly for a user who is not in the directory yet; undefined if they still are not. */
export async function waitForUser(directory: Directory, id: string): Promise<DirectoryUser | undefined> {
  await directory.whenUser(id, (user) => user !== undefined, PROPAGATION_TIMEOUT_MS);
  return directory.user(id);
}

async function findUser(directory: Directory, id: string): Promise<DirectoryUser> {
  const user = await waitForUser(directory, id);
  if (!user) throw new Error(`User ${id} is not in the directory yet`);
  return user;
}

export const listActiveAdmins = (directory: Directory): DirectoryUser[] =>
  [...directory.users()].filter((user) => user.role === 'admin' && isActive(user));

export function formatFullName({ firstName, lastName, email }: DirectoryUser): string {
  return normalizeName(`${firstName} ${lastName}`) || email;
}

export function findActorName(directory: Directory, id: string | null): string | null {
  const user = id === null ? undefined : directory.user(id);
  return user && !user.deleted ? formatFullName(user) : null;
}

/** Uses the sender address for a deleted organizer, whose address is no longer stored. */
export function toOrganizer(user: DirectoryUser, senderAddress: string) {
  if (user.deleted) return { organizer: { name: formatFullName(user), address: senderAddress } };
  return { organizer: { name: formatFullName(user), address: user.email }, sentBy: senderAddress };
}

export function toRecipient(user: DirectoryUser): Recipient {
  return {
    id: user._id,
    name: formatFullName(user),
    firstName: user.firstName,
    address: user.email,
    timezone: user.timezone,
  };
}
