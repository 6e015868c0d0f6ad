/** A stretch of a list: who stands there, in order, how many there are in all, and the state of all lists in which that is so. */
export type Stretch = { generation: number; total: number; ids: string[] };

/** As many stretches as a process keeps; each is some 50 kB. */
const MOST = 100;

/**
 * Remembers what was found of lists that take long to find: a search, or a page far down. `key` tells one from another; one that is
 * older than `generation` is found again, and what is being looked for already is not looked for twice.
 */
export function createListMemory() {
  const known = new Map<string, Promise<Stretch>>();
  return async (key: string, find: () => Promise<Stretch>, generation = 0): Promise<Stretch> => {
    const before = known.get(key);
    const found = await before?.catch(() => undefined);
    if (found && found.generation >= generation) return found;
    const current = known.get(key);
    if (current && current !== before) return current;
    const finding = find();
    known.delete(key);
    known.set(key, finding);
    if (known.size > MOST) known.delete(known.keys().next().value ?? '');
    return finding;
  };
}

export type ListMemory = ReturnType<typeof createListMemory>;
