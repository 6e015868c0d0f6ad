/** As much of a page as the web app's own code needs that draws nothing; import it before that. */
const page = new EventTarget();

const storage = (): Storage => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
};

let isOnline = true;
const ask = globalThis.fetch;

/** Makes it the page of that address. */
export function openPage(url: string): void {
  const { origin } = new URL(url);
  const window = Object.assign(page, { location: { origin } });
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  define('window', window);
  define('localStorage', storage());
  define('sessionStorage', storage());
  define('fetch', async (input: Request | string, init?: RequestInit) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return ask(typeof input === 'string' ? new URL(input, origin) : input, init);
  });
}

/** The network goes, or is there again, and the page is told so. */
export function setOnline(next: boolean): void {
  isOnline = next;
  page.dispatchEvent(new Event(next ? 'online' : 'offline'));
}
