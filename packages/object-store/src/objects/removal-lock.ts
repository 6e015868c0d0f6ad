/**
 * The advisory lock of this database that a backup holds while it copies objects: until then none is removed that records gave up, so
 * that every object of the moment of the backup is still there. Whoever removes some shares it in the transaction that claims them: what
 * was claimed before has no record by then, so no backup names it.
 */
export const REMOVAL_LOCK = 0x6f626a73;
