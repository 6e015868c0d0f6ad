import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** Whoever set a new password by a link may have lost the old one to somebody, whose device is as unknown as any from now on. */
export async function forgetDevices(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from known_devices where user_id = $1', [userId]);
}
