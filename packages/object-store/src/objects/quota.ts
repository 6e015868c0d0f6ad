import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { formatBytes } from './format-bytes.ts';

/**
 * Maximum bytes of objects per user and for the workspace; 0 for no limit. `of` describes them in messages.
 * `pendingUploadsView` is a view (`object_key`, `owner_id`, `size`) of unfinished multipart uploads, whose bytes are
 * reserved.
 */
export type Quotas = {
  userBytes: number;
  workspaceBytes: number;
  of: { what: string; remedy: string };
  pendingUploadsView?: string | undefined;
};

/** Bytes used, and remaining bytes of each quota. */
export type RemainingQuota = { usedBytes: number; userLeft: number; workspaceLeft: number };

type QuotaParams = { quotas: Quotas; userId: string };

/** Counts every object once, regardless of references, including the trash; `usedBytes` excludes pending uploads. */
export async function getRemainingQuota(db: Queryable, { quotas, userId }: QuotaParams): Promise<RemainingQuota> {
  const { userBytes, workspaceBytes, pendingUploadsView } = quotas;
  // Sequential: `db` may be a transaction, whose connection runs one statement at a time.
  const usedBytes = await sumOf(db, 'objects', userId);
  const pendingBytes = pendingUploadsView ? await sumOf(db, pendingUploadsView, userId) : 0;
  const ofAll = workspaceBytes === 0 ? 0 : await countStoredBytes(db);
  return {
    usedBytes,
    userLeft: left(userBytes, usedBytes + pendingBytes),
    workspaceLeft: left(workspaceBytes, ofAll),
  };
}

/** Throws `too_large` with the remaining quota if the bytes exceed it. */
export function assertQuota({ userLeft, workspaceLeft }: RemainingQuota, bytes: number, quotas: Quotas): void {
  if (bytes <= Math.min(userLeft, workspaceLeft)) return;
  if (userLeft <= workspaceLeft) {
    throw new AppError(
      'too_large',
      `You have ${formatBytes(userLeft)} left of your ${formatBytes(quotas.userBytes)} for ${quotas.of.what}, and this file is larger. ${quotas.of.remedy}, or ask an administrator for more.`,
    );
  }
  throw workspaceFull(workspaceLeft, quotas);
}

const workspaceFull = (leftBytes: number, { of }: Quotas) =>
  new AppError(
    'too_large',
    `The workspace has ${formatBytes(leftBytes)} left for ${of.what}, and this file is larger. Please ask an administrator.`,
  );

/** The limits as responses contain them, with null for unlimited. */
export async function findLimits(db: Queryable, given: QuotaParams) {
  const { usedBytes, userLeft, workspaceLeft } = await getRemainingQuota(db, given);
  const available = Math.min(userLeft, workspaceLeft);
  return {
    usedBytes,
    quotaBytes: given.quotas.userBytes === 0 ? null : given.quotas.userBytes,
    availableBytes: available === Number.POSITIVE_INFINITY ? null : available,
  };
}

/**
 * Returns the remaining quota for a file to be recorded. Other files of the same user wait until the transaction
 * ends, so that the quota is never exceeded. Lock order: after a conversation's row and before objects.
 */
export async function lockQuota(tx: Queryable, given: QuotaParams): Promise<RemainingQuota> {
  if (given.quotas.userBytes > 0)
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`storage quota ${given.userId}`]);
  return getRemainingQuota(tx, given);
}

/**
 * Updates and checks the workspace's usage: the last statement of a transaction that recorded `bytes` of objects or
 * uploads. Throws `too_large` if concurrent uploads used up the quota.
 */
export async function enforceWorkspaceQuota(tx: Queryable, quotas: Quotas, bytes: number): Promise<void> {
  if (quotas.workspaceBytes === 0) return;
  // The triggers of `storage_usage` are deferred. From here on its row is locked until the commit.
  await tx.query('set constraints all immediate');
  const over = (await countStoredBytes(tx)) - quotas.workspaceBytes;
  if (over > 0) throw workspaceFull(Math.max(0, bytes - over), quotas);
}

/** Bytes of all files, including pending uploads. */
export async function countStoredBytes(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>('select bytes from storage_usage');
  return rows[0]?.bytes ?? 0;
}

const left = (quota: number, used: number) => (quota === 0 ? Number.POSITIVE_INFINITY : Math.max(0, quota - used));

async function sumOf(db: Queryable, table: string, ownerId: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::bigint as bytes from ${table} where owner_id = $1`,
    [ownerId],
  );
  return rows[0]?.bytes ?? 0;
}
