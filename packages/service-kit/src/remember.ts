/** What was found out, and the state of the world in which that is so. */
type Dated = { generation: number };

/** `find` is asked only where nothing of that `generation` is known under the key; without one, whatever is known will do. */
export type Memory<T extends Dated> = (key: string, find: () => Promise<T>, generation?: number) => Promise<T>;

/**
 * Keeps the latest answers to questions that take long, at most `most` of them. What is of another generation than the caller's is
 * found out anew, also of a higher one: a database that was restored counts from below again. What is being asked already is not
 * asked twice. A failure is nobody's answer: the next caller asks again.
 */
export function createMemory<T extends Dated>(most: number): Memory<T> {
  const known = new Map<string, Promise<T>>();
  return async (key, find, generation) => {
    const before = known.get(key);
    const found = await before?.catch(() => undefined);
    if (found && (generation === undefined || found.generation === generation)) return found;
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
