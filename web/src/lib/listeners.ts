/** Who is to be told of something outside of the screens; `subscribe` as `useSyncExternalStore` takes it. */
export function createListeners<Told extends readonly unknown[] = []>() {
  const listeners = new Set<(...told: Told) => void>();
  return {
    /** The returned function ends it. */
    subscribe(listener: (...told: Told) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(...told: Told): void {
      for (const listener of listeners) listener(...told);
    },
    isAnybodyThere: (): boolean => listeners.size > 0,
  };
}
