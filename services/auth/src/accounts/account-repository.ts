import type { sessionUser } from '@atrium/proto-events/http/auth';
import type { Role } from '@atrium/proto-events/people';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { isUniqueViolation, type Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';

export type Account = {
  id: string;
  email: string;
  password_hash: string | null;
  state: 'invited' | 'active';
  first_name: string;
  last_name: string;
  role: Role;
  department_id: string | null;
  activated_at: Date | null;
};

/** Listed explicitly: a prepared `select *` fails on running pods once a migration adds a column. */
export const ACCOUNT_COLUMNS =
  'id, email, password_hash, state, first_name, last_name, role, department_id, activated_at';

const REGISTRATION_LOCK = 0x72656769;

/** Serializes registrations across pods until the transaction ends, so that only one can be the first. */
export async function lockRegistration(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [REGISTRATION_LOCK]);
}

export async function hasAccounts(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has_accounts: boolean }>('select exists (select from accounts) as has_accounts');
  return rows[0]?.has_accounts ?? false;
}

export async function insertAccount(tx: Queryable, account: Account): Promise<void> {
  try {
    await tx.query(
      `insert into accounts (id, email, password_hash, state, first_name, last_name, role, department_id, activated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        account.id,
        account.email,
        account.password_hash,
        account.state,
        account.first_name,
        account.last_name,
        account.role,
        account.department_id,
        account.activated_at,
      ],
    );
  } catch (cause) {
    if (!isUniqueViolation(cause, 'accounts_email')) throw cause;
    throw new AppError('conflict', 'A user with this email already exists', { cause });
  }
}

export async function findAccount(db: Queryable, id: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1`, [id]);
  return rows[0];
}

export async function activateAccount(tx: Queryable, id: string, passwordHash: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update accounts set password_hash = $2, state = 'active', activated_at = now()
     where id = $1 and state = 'invited'`,
    [id, passwordHash],
  );
  return rowCount === 1;
}

/** Locks an account until the transaction ends, so that no session is opened in the meantime. */
export async function lockAccount(tx: Queryable, id: string): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(`select ${ACCOUNT_COLUMNS} from accounts where id = $1 for no key update`, [
    id,
  ]);
  return rows[0];
}

export async function lockAccountByEmail(tx: Queryable, email: string): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT_COLUMNS} from accounts where lower(email) = lower($1) for no key update`,
    [email],
  );
  return rows[0];
}

export async function findAccountsByEmail(
  db: Queryable,
  emails: readonly string[],
): Promise<Pick<Account, 'email' | 'state'>[]> {
  const { rows } = await db.query<Pick<Account, 'email' | 'state'>>(
    `select email, state from accounts
     where lower(email) = any(array(select lower(address) from unnest($1::text[]) as address)) order by email`,
    [emails],
  );
  return rows;
}

export async function setPassword(tx: Queryable, id: string, passwordHash: string): Promise<void> {
  await tx.query('update accounts set password_hash = $2 where id = $1', [id, passwordHash]);
}

export async function deleteAccount(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from accounts where id = $1', [id]);
}

export function presentSessionUser(directory: Directory, account: Account): z.input<typeof sessionUser> {
  const user = directory.user(account.id);
  const departmentId = user ? user.departmentId : account.department_id;
  const department = departmentId === null ? undefined : directory.department(departmentId);
  return {
    _id: account.id,
    firstName: user?.firstName ?? account.first_name,
    lastName: user?.lastName ?? account.last_name,
    email: account.email,
    role: user?.role ?? account.role,
    status: 'active',
    department: department ? { _id: department._id, name: department.name } : null,
    avatar: user?.avatar ?? null,
  };
}
