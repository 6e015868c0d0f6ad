import { AppError } from '@atrium/service-kit/http/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { sizeInWords } from '../receiving/size-in-words.ts';

/**
 * Bytes that the objects of one person, and of everybody, may have together; 0 is no limit. `of` says in words what has them. `underWay` is
 * a view (`object_key`, `owner_id`, `size`) of what comes in parts and is not there yet, for which room is kept.
 */
export type Quotas = {
  personBytes: number;
  workspaceBytes: number;
  of: { what: string; wayOut: string };
  underWay?: string | undefined;
};

/** What is used, and what is left of each quota. */
export type Room = { usedBytes: number; personLeft: number; workspaceLeft: number };

type Given = { quotas: Quotas; userId: string };

/** Counts every object once, however many things refer to it, and those in a bin, too; `usedBytes` is without what is on its way. */
export async function findRoom(db: Queryable, { quotas, userId }: Given): Promise<Room> {
  const { personBytes, workspaceBytes, underWay } = quotas;
  const [usedBytes, coming, ofAll, comingOfAll] = await Promise.all([
    sumOf(db, 'objects', userId),
    underWay ? sumOf(db, underWay, userId) : 0,
    workspaceBytes === 0 ? 0 : sumOf(db, 'objects'),
    workspaceBytes === 0 || !underWay ? 0 : sumOf(db, underWay),
  ]);
  return {
    usedBytes,
    personLeft: left(personBytes, usedBytes + coming),
    workspaceLeft: left(workspaceBytes, ofAll + comingOfAll),
  };
}

/** What all files take, with what is being uploaded. */
export async function countStoredBytes(db: Queryable, { underWay }: Pick<Quotas, 'underWay'>): Promise<number> {
  const [stored, coming] = await Promise.all([sumOf(db, 'objects'), underWay ? sumOf(db, underWay) : 0]);
  return stored + coming;
}

/** Throws `too_large` with what is left, where so many bytes have no room. */
export function requireRoom({ personLeft, workspaceLeft }: Room, bytes: number, quotas: Quotas): void {
  if (bytes <= Math.min(personLeft, workspaceLeft)) return;
  if (personLeft <= workspaceLeft) {
    throw new AppError(
      'too_large',
      `You have ${sizeInWords(personLeft)} left of your ${sizeInWords(quotas.personBytes)} for ${quotas.of.what}, and this file is larger. ${quotas.of.wayOut}, or ask an administrator for more.`,
    );
  }
  throw new AppError(
    'too_large',
    `The workspace has ${sizeInWords(workspaceLeft)} left for ${quotas.of.what}, and this file is larger. Please ask an administrator.`,
  );
}

/** The same as answers say it to a person, with null for what has no limit. */
export async function findLimits(db: Queryable, given: Given) {
  const { usedBytes, personLeft, workspaceLeft } = await findRoom(db, given);
  const available = Math.min(personLeft, workspaceLeft);
  return {
    usedBytes,
    quotaBytes: given.quotas.personBytes === 0 ? null : given.quotas.personBytes,
    availableBytes: available === Number.POSITIVE_INFINITY ? null : available,
  };
}

/** Answers the room for a file that is about to be recorded; others that are recorded at the same time wait, so that none is overdrawn. */
export async function lockRoom(tx: Queryable, given: Given): Promise<Room> {
  const { personBytes, workspaceBytes } = given.quotas;
  if (personBytes > 0 || workspaceBytes > 0) await tx.query('select pg_advisory_xact_lock($1)', [QUOTA_LOCK]);
  return findRoom(tx, given);
}

const QUOTA_LOCK = 0x71756f74;

const left = (quota: number, used: number) => (quota === 0 ? Number.POSITIVE_INFINITY : Math.max(0, quota - used));

/** Of everybody, or of one person. */
async function sumOf(db: Queryable, table: string, ownerId?: string): Promise<number> {
  const sum = `select coalesce(sum(size), 0)::bigint as bytes from ${table}`;
  const { rows } =
    ownerId === undefined
      ? await db.query<{ bytes: number }>(sum)
      : await db.query<{ bytes: number }>(`${sum} where owner_id = $1`, [ownerId]);
  return rows[0]?.bytes ?? 0;
}
