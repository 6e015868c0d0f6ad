/** What a browser keeps; one that blocks that, or has it full, keeps the rest for as long as the page is there. */
function createStorage(area: () => Storage) {
  /** Only kept by the page, because storage refused it; else storage has the last word. */
  const fallback = new Map<string, string>();
  return {
    read(key: string): string | null {
      const unsaved = fallback.get(key) ?? null;
      try {
        return unsaved ?? area().getItem(key);
      } catch {
        return unsaved;
      }
    },
    write(key: string, value: string): void {
      try {
        area().setItem(key, value);
        fallback.delete(key);
      } catch {
        fallback.set(key, value);
      }
    },
    remove(key: string): void {
      fallback.delete(key);
      try {
        area().removeItem(key);
      } catch {
        // Nothing of it was ever stored.
      }
    },
    /** The keys that begin so. */
    keys(prefix: string): string[] {
      const keys = new Set(fallback.keys());
      try {
        for (let index = 0; index < area().length; index += 1) keys.add(area().key(index) ?? '');
      } catch {
        // Only what the page keeps.
      }
      return [...keys].filter((key) => key.startsWith(prefix));
    },
  };
}

/** Of all tabs, until it is removed. */
export const deviceStorage = createStorage(() => localStorage);

/** Of this tab, over a reload. */
export const tabStorage = createStorage(() => sessionStorage);
