/**
 * The advisory lock of this database that a backup holds while it copies objects: until then no queued object is
 * removed, so that every object of the snapshot still exists. The remover shares it in the transaction that claims
 * objects: these have no record anymore, so no backup references them.
 */
export const REMOVAL_LOCK = 0x6f626a73;
