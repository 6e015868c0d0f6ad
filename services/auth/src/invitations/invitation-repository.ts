import type { Delivery, Invitation } from '@atrium/proto-events/http/invitations';
import type { Role } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Limits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isLinkRevoked } from '../secrets/secret-link.ts';

export type InvitationRow = {
  id: string;
  user_id: string;
  invited_by: string;
  created_at: Date;
  sent_by: string;
  sent_at: Date;
  expires_at: Date;
  expired: boolean;
  delivery: Delivery;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  department_id: string | null;
};

const LINK_LIFETIME = `interval '7 days'`;

const SENT_COLUMNS = 'coalesce(i.sent_by, i.invited_by) as sent_by, coalesce(i.sent_at, i.created_at) as sent_at';

const SELECT_OPEN_INVITATIONS = `
  select i.id, i.user_id, i.invited_by, i.created_at, ${SENT_COLUMNS}, i.expires_at, i.expires_at <= now() as expired, i.delivery,
         a.email, a.first_name, a.last_name, a.role, a.department_id
  from invitations i join accounts a on a.id = i.user_id
  where i.accepted_at is null`;

type LinkFields = { tokenHash: Buffer; mailEventId: string };

export async function insertInvitation(
  tx: Queryable,
  { id, userId, invitedBy, tokenHash, mailEventId }: LinkFields & { id: string; userId: string; invitedBy: string },
): Promise<void> {
  await tx.query(
    `insert into invitations (id, user_id, token_hash, mail_event_id, invited_by, expires_at)
     values ($1, $2, $3, $4, $5, now() + ${LINK_LIFETIME})`,
    [id, userId, tokenHash, mailEventId, invitedBy],
  );
}

export async function renewInvitation(
  tx: Queryable,
  id: string,
  { tokenHash, mailEventId, sentBy }: LinkFields & { sentBy: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update invitations set token_hash = $2, mail_event_id = $3, delivery = 'queued', expires_at = now() + ${LINK_LIFETIME},
       sent_by = $4, sent_at = now()
     where id = $1 and accepted_at is null`,
    [id, tokenHash, mailEventId, sentBy],
  );
  return rowCount === 1;
}

export async function findOpenInvitation(db: Queryable, id: string): Promise<InvitationRow | undefined> {
  const { rows } = await db.query<InvitationRow>(`${SELECT_OPEN_INVITATIONS} and i.id = $1`, [id]);
  return rows[0];
}

export async function listOpenInvitations(db: Queryable, { limit, offset }: Limits) {
  const [list, count] = await Promise.all([
    db.query<InvitationRow>(`${SELECT_OPEN_INVITATIONS} order by i.created_at desc, i.id desc limit $1 offset $2`, [
      limit,
      offset,
    ]),
    db.query<{ total: number }>('select count(*) as total from invitations where accepted_at is null'),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

type InvitationLink = {
  id: string;
  user_id: string;
  expired: boolean;
  accepted: boolean;
  sent_by: string;
  sent_at: Date;
};

export async function findInvitationByToken(db: Queryable, tokenHash: Buffer): Promise<InvitationLink | undefined> {
  const { rows } = await db.query<InvitationLink>(
    `select i.id, i.user_id, i.expires_at <= now() as expired, i.accepted_at is not null as accepted, ${SENT_COLUMNS}
     from invitations i where i.token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/**
 * Returns true for exactly one of several concurrent claims, and false if the invitation was resent or revoked since.
 */
export async function claimInvitation(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update invitations set accepted_at = now() where token_hash = $1 and accepted_at is null and expires_at > now()',
    [tokenHash],
  );
  return rowCount === 1;
}

export async function deleteOpenInvitation(tx: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from invitations where id = $1 and accepted_at is null returning user_id',
    [id],
  );
  return rows[0]?.user_id;
}

/** Returns the ids of the open ones. */
export async function deleteUserInvitations(tx: Queryable, userId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string; open: boolean }>(
    'delete from invitations where user_id = $1 returning id, accepted_at is null as open',
    [userId],
  );
  return rows.filter(({ open }) => open).map(({ id }) => id);
}

export async function recordDeliveryOutcome(
  tx: Queryable,
  { id, outcome, mailEventId }: { id: string; outcome: Exclude<Delivery, 'queued'>; mailEventId: string },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>(
    `update invitations set delivery = $2
     where id = $1 and accepted_at is null and mail_event_id = $3
       and (delivery = 'queued' or delivery = 'uncertain' and $2 <> 'uncertain')
     returning user_id`,
    [id, outcome, mailEventId],
  );
  return rows[0]?.user_id;
}

/** Reads the user from the directory, or from the account while the directory is behind. */
export function toInvitedUser(directory: Directory, row: InvitationRow) {
  const user = directory.user(row.user_id);
  return {
    email: row.email,
    firstName: user?.firstName ?? row.first_name,
    lastName: user?.lastName ?? row.last_name,
    role: user?.role ?? row.role,
    departmentId: user ? user.departmentId : row.department_id,
  };
}

export function presentInvitation(directory: Directory, row: InvitationRow): Invitation {
  const { departmentId, ...invitedUser } = toInvitedUser(directory, row);
  const department = departmentId === null ? undefined : directory.department(departmentId);
  return {
    _id: row.id,
    user: row.user_id,
    ...invitedUser,
    department: department ? { _id: department._id, name: department.name } : null,
    invitedBy: directory.summary(row.invited_by),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    expired: row.expired || isLinkRevoked(directory, { createdBy: row.sent_by, createdAt: row.sent_at }),
    delivery: row.delivery,
  };
}
