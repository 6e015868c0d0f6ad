import type { System } from '@atrium/dev-server/system/start-system';
import { seedAccounts } from '@atrium/tools/seed/seed-accounts';
import { seedPeople } from '@atrium/tools/seed/seed-people';
import { untilTold } from '../seeded-lists.ts';

export const OFFICE_PASSWORD = 'Office#2026';

/** Puts so many active people into a running workspace, and waits until the directory knows them; answers their e-mail addresses. */
export async function seedOffice({ backing }: System, count: number): Promise<string[]> {
  const owner = backing.addresses.postgres?.url;
  if (owner === undefined) throw new Error('there is no PostgreSQL');
  const databaseOf = (name: string) => Object.assign(new URL(owner), { pathname: `/atrium_${name}` }).href;
  // One in sixteen is seeded as inactive.
  const people = await seedPeople(databaseOf('users'), Math.ceil(count * 1.2));
  await seedAccounts(databaseOf('auth'), people, OFFICE_PASSWORD);
  await untilTold(databaseOf('users'));
  const active = people.filter(({ status }) => status === 'active').map(({ email }) => email);
  if (active.length < count) throw new Error(`only ${active.length} of ${count} people are active`);
  return active.slice(0, count);
}
