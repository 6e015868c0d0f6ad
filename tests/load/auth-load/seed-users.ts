import type { System } from '@atrium/dev-server/system/start-system';
import { seedAccounts } from '@atrium/tools/seed/seed-accounts';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { waitForEmptyOutbox } from '../seeded-lists.ts';

export const SEED_PASSWORD = 'Office#2026';

/** Adds active users to a running workspace, waits until the directory contains them, and returns their emails. */
export async function seedUsers({ backing }: System, count: number): Promise<string[]> {
  const owner = backing.addresses.postgres?.url;
  if (owner === undefined) throw new Error('PostgreSQL is not running');
  const databaseOf = (name: string) => Object.assign(new URL(owner), { pathname: `/atrium_${name}` }).href;
  // One in sixteen is seeded as inactive.
  const users = await seedPeople(databaseOf('users'), Math.ceil(count * 1.2));
  await seedAccounts(databaseOf('auth'), users, SEED_PASSWORD);
  await waitForEmptyOutbox(databaseOf('users'));
  const activeEmails = users.filter(({ status }) => status === 'active').map(({ email }) => email);
  if (activeEmails.length < count) throw new Error(`only ${activeEmails.length} of ${count} users are active`);
  return activeEmails.slice(0, count);
}
