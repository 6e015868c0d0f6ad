import { AppError } from '@atrium/service-kit/errors/app-error';
import { gaugeAtScrape } from '@atrium/service-kit/observability/metrics';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Registry } from 'prom-client';

/** Limits of stored bytes; 0 means no limit. */
export type Quotas = {
  userBytes: number;
  workspaceBytes: number;
  /** Inserted into error messages: what the quota limits, and how to free space. */
  labels: { files: string; remedy: string };
  /** View of uploads whose bytes are reserved but not stored yet: `object_key`, `owner_id`, `size`. */
  pendingUploadsView?: string | undefined;
};

type RemainingQuota = { usedBytes: number; userRemaining: number; workspaceRemaining: number };

type QuotaParams = { quotas: Quotas; userId: string };

/** Counts every object once, including those of documents in the trash; `usedBytes` excludes pending uploads. */
export async function getRemainingQuota(db: Queryable, { quotas, userId }: QuotaParams): Promise<RemainingQuota> {
  const { userBytes, workspaceBytes, pendingUploadsView } = quotas;
  // Runs queries sequentially: `db` may be a transaction, whose connection runs one statement at a time.
  const usedBytes = await sumSizes(db, 'objects', userId);
  const pendingBytes = pendingUploadsView ? await sumSizes(db, pendingUploadsView, userId) : 0;
  const workspaceUsed = workspaceBytes === 0 ? 0 : await countStoredBytes(db);
  return {
    usedBytes,
    userRemaining: subtract(userBytes, usedBytes + pendingBytes),
    workspaceRemaining: subtract(workspaceBytes, workspaceUsed),
  };
}

/** Throws `too_large` with the remaining quota. */
export function assertQuota(
  { userRemaining, workspaceRemaining }: RemainingQuota,
  bytes: number,
  quotas: Quotas,
): void {
  if (bytes <= Math.min(userRemaining, workspaceRemaining)) return;
  if (userRemaining <= workspaceRemaining) {
    throw new AppError(
      'too_large',
      `You have ${formatBytes(userRemaining)} left of your ${formatBytes(quotas.userBytes)} for ${quotas.labels.files}, and this file is larger. ${quotas.labels.remedy}, or ask an administrator for more.`,
    );
  }
  throw workspaceFull(workspaceRemaining, quotas);
}

const workspaceFull = (remainingBytes: number, { labels }: Quotas) =>
  new AppError(
    'too_large',
    `The workspace has ${formatBytes(remainingBytes)} left for ${labels.files}, and this file is larger. Please ask an administrator.`,
  );

export async function findLimits(db: Queryable, params: QuotaParams) {
  const { usedBytes, userRemaining, workspaceRemaining } = await getRemainingQuota(db, params);
  const available = Math.min(userRemaining, workspaceRemaining);
  return {
    usedBytes,
    quotaBytes: params.quotas.userBytes === 0 ? null : params.quotas.userBytes,
    availableBytes: available === Number.POSITIVE_INFINITY ? null : available,
  };
}

/**
 * Makes other files of the same user wait until the transaction ends, so that the quota is never exceeded. Acquire this
 * lock after the row of a conversation and before objects.
 */
export async function lockQuota(tx: Queryable, params: QuotaParams): Promise<RemainingQuota> {
  if (params.quotas.userBytes > 0)
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`storage quota ${params.userId}`]);
  return getRemainingQuota(tx, params);
}

/**
 * Must be the last statement of a transaction that recorded `bytes` of objects or uploads. Throws `too_large` if
 * concurrent uploads used up the quota.
 */
export async function enforceWorkspaceQuota(tx: Queryable, quotas: Quotas, bytes: number): Promise<void> {
  if (quotas.workspaceBytes === 0) return;
  // Fires the deferred triggers of `storage_usage`, which lock its row until the commit.
  await tx.query('set constraints all immediate');
  const excessBytes = (await countStoredBytes(tx)) - quotas.workspaceBytes;
  if (excessBytes > 0) throw workspaceFull(Math.max(0, bytes - excessBytes), quotas);
}

/** Includes pending uploads. */
async function countStoredBytes(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>('select bytes from storage_usage');
  return rows[0]?.bytes ?? 0;
}

const subtract = (quota: number, used: number) => (quota === 0 ? Number.POSITIVE_INFINITY : Math.max(0, quota - used));

async function sumSizes(db: Queryable, table: string, ownerId: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::bigint as bytes from ${table} where owner_id = $1`,
    [ownerId],
  );
  return rows[0]?.bytes ?? 0;
}

/** Every pod reports the same values. Reports no quota series if storage is unlimited. */
export function measureStorage(registry: Registry, db: Queryable, quotas: Quotas): void {
  gaugeAtScrape(registry, {
    name: 'stored_bytes',
    help: 'Bytes of all files of the service, including pending uploads; the same on every pod',
    read: async () => [{ value: await countStoredBytes(db) }],
  });
  gaugeAtScrape(registry, {
    name: 'stored_bytes_quota',
    help: 'Maximum bytes of all files of the service; absent if unlimited',
    read: () => (quotas.workspaceBytes === 0 ? [] : [{ value: quotas.workspaceBytes }]),
  });
}

const UNITS = ['Bytes', 'KB', 'MB', 'GB'];

export function formatBytes(bytes: number): string {
  if (bytes < 1) return '0 Bytes';
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${UNITS[power]}`;
}
