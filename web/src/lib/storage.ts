/** Browser storage with a fallback in memory, for browsers that block it or when it is full. */
function createStorage(getStorage: () => Storage) {
  const fallback = new Map<string, string>();
  return {
    read(key: string): string | null {
      const fallbackValue = fallback.get(key) ?? null;
      try {
        return fallbackValue ?? getStorage().getItem(key);
      } catch {
        return fallbackValue;
      }
    },
    write(key: string, value: string): void {
      try {
        getStorage().setItem(key, value);
        fallback.delete(key);
      } catch {
        fallback.set(key, value);
      }
    },
    remove(key: string): void {
      fallback.delete(key);
      try {
        getStorage().removeItem(key);
      } catch {
        // A blocked storage never stored the value.
      }
    },
    keys(prefix: string): string[] {
      const keys = new Set(fallback.keys());
      try {
        for (let index = 0; index < getStorage().length; index += 1) keys.add(getStorage().key(index) ?? '');
      } catch {
        // Returns only the fallback entries.
      }
      return [...keys].filter((key) => key.startsWith(prefix));
    },
  };
}

export const deviceStorage = createStorage(() => localStorage);

export const tabStorage = createStorage(() => sessionStorage);
