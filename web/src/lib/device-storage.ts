/** What a browser keeps on the device, `localStorage`; a browser that blocks it, or has it full, keeps the rest for as long as the page is there. */
const instead = new Map<string, string>();

/** Only kept by the page, because storage refused it; null where storage has the last word. */
function heldBack(key: string): string | null {
  return instead.get(key) ?? null;
}

export function readStored(key: string): string | null {
  try {
    return heldBack(key) ?? localStorage.getItem(key);
  } catch {
    return heldBack(key);
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
    instead.delete(key);
  } catch {
    instead.set(key, value);
  }
}

export function unstore(key: string): void {
  instead.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing of it was ever stored.
  }
}

/** The keys that begin so. */
export function storedKeys(prefix: string): string[] {
  const keys = new Set(instead.keys());
  try {
    for (let index = 0; index < localStorage.length; index += 1) keys.add(localStorage.key(index) ?? '');
  } catch {
    // Only what the page keeps.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}
