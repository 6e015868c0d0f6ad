import { LAST_RESTORE_ID } from './records.ts';
import type { Store } from './store.ts';

/** Returns when the data were last restored; undefined if never. */
export const findLastRestore = async ({ restores }: Pick<Store, 'restores'>): Promise<Date | undefined> =>
  (await restores.findById(LAST_RESTORE_ID).lean())?.at;
