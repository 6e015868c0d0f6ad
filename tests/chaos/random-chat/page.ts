/** Defines the browser globals that the web app's code needs without rendering. Call `openPage` before importing it. */
const page = new EventTarget();

const storage = (): Storage => {
  const saved = new Map<string, string>();
  return {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
    clear: () => saved.clear(),
    key: (index: number) => [...saved.keys()][index] ?? null,
    get length() {
      return saved.size;
    },
  };
};

let isOnline = true;
const originalFetch = globalThis.fetch;

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
    return originalFetch(typeof input === 'string' ? new URL(input, origin) : input, init);
  });
}

export function setOnline(next: boolean): void {
  isOnline = next;
  page.dispatchEvent(new Event(next ? 'online' : 'offline'));
}
