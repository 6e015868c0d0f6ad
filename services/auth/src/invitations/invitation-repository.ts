import type { Queryable } from '@atrium/service-kit/postgres';

export type InvitationRow = { id: string; user_id: string; expired: boolean; accepted: boolean };

/** Stores an invitation of seven days; answers when it ends. */
export async function insertInvitation(
  tx: Queryable,
  given: { id: string; userId: string; tokenHash: Buffer; invitedBy: string },
): Promise<Date> {
  const { rows } = await tx.query<{ expires_at: Date }>(
    `insert into invitations (id, user_id, token_hash, invited_by, expires_at)
     values ($1, $2, $3, $4, now() + interval '7 days') returning expires_at`,
    [given.id, given.userId, given.tokenHash, given.invitedBy],
  );
  const [row] = rows;
  if (!row) throw new Error('the invitation just inserted is not there');
  return row.expires_at;
}

export async function findInvitation(db: Queryable, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  const { rows } = await db.query<InvitationRow>(
    `select id, user_id, expires_at <= now() as expired, accepted_at is not null as accepted
     from invitations where token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/** Uses it up; of two at once only one is answered true. */
export async function claimInvitation(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update invitations set accepted_at = now() where id = $1 and accepted_at is null and expires_at > now()',
    [id],
  );
  return rowCount === 1;
}
