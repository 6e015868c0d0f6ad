import type { Role, UserStatus } from '@atrium/proto-events/people';
import type { ChosenPreferences } from '@atrium/proto-events/preferences';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';

export type UserRow = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  phone: string;
  location: string;
  department_id: string | null;
  department_name: string | null;
  department_self_assigned: boolean;
  assigned_department_id: string | null;
  role: Role;
  status: UserStatus;
  invited: boolean;
  bio: string;
  skills: string[];
  avatar: string | null;
  timezone: string;
  preferences: ChosenPreferences;
  join_date: Date;
  last_login: Date | null;
  tasks_completed: number;
  sessions_valid_after: number;
  deleted_at: Date | null;
  version: number;
};

/** Listed explicitly: a prepared `select *` fails on running pods once a migration adds a column. */
const COLUMNS = [
  'id',
  'email',
  'first_name',
  'last_name',
  'phone',
  'location',
  'department_id',
  'department_self_assigned',
  'assigned_department_id',
  'role',
  'status',
  'invited',
  'bio',
  'skills',
  'avatar',
  'timezone',
  'preferences',
  'join_date',
  'last_login',
  'tasks_completed',
  'sessions_valid_after',
  'deleted_at',
  'version',
] as const satisfies readonly (keyof UserRow)[];

const USER_COLUMNS = `${COLUMNS.map((column) => `u.${column}`).join(', ')}, d.name as department_name`;

const SELECT_USER = `select ${USER_COLUMNS} from users u left join departments d on d.id = u.department_id`;

type NewUser = Pick<
  UserRow,
  'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'status' | 'invited' | 'department_id'
> & { join_date: string };

/**
 * Returns undefined if the id exists, even as a deleted user; then only that row is locked. An unknown department is
 * stored as none.
 */
export async function insertUser(tx: Queryable, user: NewUser): Promise<UserRow | undefined> {
  const existing = await tx.query('select from users where id = $1 for update', [user.id]);
  if (existing.rowCount !== 0) return undefined;
  const { rowCount } = await tx.query(
    `insert into users (id, email, first_name, last_name, role, status, invited, department_id, join_date)
     values ($1, $2, $3, $4, $5, $6, $7, (select id from departments where id = $8), $9)
     on conflict (id) do nothing`,
    [
      user.id,
      user.email,
      user.first_name,
      user.last_name,
      user.role,
      user.status,
      user.invited,
      user.department_id,
      user.join_date,
    ],
  );
  return rowCount === 1 ? lockUser(tx, user.id) : undefined;
}

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const { rows } = await db.query<UserRow>({
    name: 'find-user',
    text: `${SELECT_USER} where u.id = $1 and u.deleted_at is null`,
    values: [id],
  });
  return rows[0];
}

/** In the order of the ids. */
export async function findUsers(db: Queryable, ids: string[]): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'find-users',
    text: `select ${USER_COLUMNS}
           from unnest($1::text[]) with ordinality as page (id, position)
           join users u on u.id = page.id left join departments d on d.id = u.department_id
           order by page.position`,
    values: [ids],
  });
  return rows;
}

export async function lockUser(tx: Queryable, id: string): Promise<UserRow | undefined> {
  const { rows } = await tx.query<UserRow>(`${SELECT_USER} where u.id = $1 and u.deleted_at is null for update of u`, [
    id,
  ]);
  return rows[0];
}

export type UserChange = Partial<Omit<UserRow, 'id' | 'email' | 'department_name' | 'version' | 'deleted_at'>>;

export async function changeUser(tx: Queryable, id: string, change: UserChange): Promise<UserRow> {
  const assignments = Object.keys(change).map((column, index) => `${column} = $${index + 2}`);
  await tx.query(
    `update users set ${[...assignments, 'updated_at = now()', 'version = version + 1'].join(', ')} where id = $1`,
    [id, ...Object.values(change)],
  );
  const row = await lockUser(tx, id);
  if (!row) throw new Error('User not found after update');
  return row;
}

export async function markUserDeleted(tx: Queryable, id: string, sessionsValidAfter: number): Promise<UserRow> {
  const { rows } = await tx.query<UserRow>(
    `update users set first_name = 'Deleted', last_name = 'user', email = '', phone = '', location = '', bio = '', skills = '{}',
            avatar = null, preferences = '{}', department_id = null, department_self_assigned = false,
            assigned_department_id = null, status = 'inactive', invited = false, sessions_valid_after = $2,
            deleted_at = now(), updated_at = now(), version = version + 1
     where id = $1 returning ${COLUMNS.join(', ')}, null as department_name`,
    [id, sessionsValidAfter],
  );
  const [row] = rows;
  if (!row) throw new Error('User not found after deletion');
  return row;
}

/** The time never moves backward, and the version is not incremented. */
export async function recordLogin(tx: Queryable, id: string, at: string): Promise<void> {
  await tx.query('update users set last_login = greatest(last_login, $2::timestamptz) where id = $1', [id, at]);
}

/**
 * Returns the Unix time in milliseconds before which tokens are rejected. It never decreases, and comes from the
 * database clock, because with a pod clock that is ahead, later sign-ins would be rejected.
 */
export const getSessionCutoff = async (
  tx: Queryable,
  { sessions_valid_after }: Pick<UserRow, 'sessions_valid_after'>,
): Promise<number> => Math.max(sessions_valid_after, (await databaseTime(tx)).getTime());
