/** What was found out, and the state of the world in which that is so: a number that only rises. */
type Dated = { generation: number };

/** `find` is asked only where nothing as young as `generation` is known under the key. */
export type Memory<T extends Dated> = (key: string, find: () => Promise<T>, generation?: number) => Promise<T>;

/**
 * Keeps the latest answers to questions that take long, at most `most` of them. What is older than the caller's generation is
 * found out anew, and what is being asked already is not asked twice. A failure is nobody's answer: the next caller asks again.
 */
export function createMemory<T extends Dated>(most: number): Memory<T> {
  const known = new Map<string, Promise<T>>();
  return async (key, find, generation = 0) => {
    const before = known.get(key);
    const found = await before?.catch(() => undefined);
    if (found && found.generation >= generation) return found;
    // Somebody else may have begun to ask while this one waited.
    const current = known.get(key);
    if (current && current !== before) return current;
    const asked = find();
    known.delete(key);
    known.set(key, asked);
    if (known.size > most) known.delete(known.keys().next().value ?? '');
    return asked;
  };
}
