/** Who is to be told of something outside of the screens; `subscribe` as `useSyncExternalStore` takes it. */
export function createListeners<Told extends readonly unknown[] = []>() {
  const listeners = new Set<(...args: Told) => void>();
  return {
    /** The returned function ends it. */
    subscribe(listener: (...args: Told) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(...args: Told): void {
      for (const listener of listeners) listener(...args);
    },
    hasListeners: (): boolean => listeners.size > 0,
  };
}
