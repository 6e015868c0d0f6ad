import type { PushRecord } from '../store/push-records.ts';
import type { Store } from '../store/store.ts';

const DUE_STATES = ['queued', 'withdrawing'] as const;

/** One for each state, because FerretDB uses the index only for equal values. */
const createDueFilters = () => DUE_STATES.map((state) => ({ state, nextAttemptAt: { $lte: new Date() } }));

export async function findDuePushes(
  { pushes }: Store,
  { limit, excludedIds }: { limit: number; excludedIds: readonly string[] },
): Promise<PushRecord[]> {
  const due = await Promise.all(
    createDueFilters().map((filter) =>
      pushes
        .find({ ...filter, _id: { $nin: [...excludedIds] } })
        .sort({ nextAttemptAt: 1 })
        .limit(limit)
        .lean(),
    ),
  );
  return due
    .flat()
    .toSorted((one, other) => one.nextAttemptAt.getTime() - other.nextAttemptAt.getTime())
    .slice(0, limit);
}

export async function countDuePushes({ pushes }: Store): Promise<number> {
  const counts = await Promise.all(createDueFilters().map((filter) => pushes.countDocuments(filter)));
  return counts.reduce((total, count) => total + count, 0);
}
