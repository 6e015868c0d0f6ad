/** Who is to be told of a change of something outside of the screens; `subscribe` as `useSyncExternalStore` takes it. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    /** The returned function ends it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(): void {
      for (const listener of listeners) listener();
    },
  };
}
