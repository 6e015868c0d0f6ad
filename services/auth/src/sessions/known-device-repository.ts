import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** A reset password may have been compromised, so all devices become unknown. */
export async function deleteKnownDevices(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from known_devices where user_id = $1', [userId]);
}
