/** Defines the browser globals that the web app's code and React need. Call `openPage` before importing them. */
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
  const document = Object.assign(new EventTarget(), {
    nodeType: 9,
    activeElement: null,
    body: null,
    visibilityState: 'visible',
    defaultView: page,
  });
  const window = Object.assign(page, { location: { origin }, document, HTMLIFrameElement: class {} });
  const define = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  define('window', window);
  define('document', document);
  define('localStorage', storage());
  define('sessionStorage', storage());
  define('fetch', async (input: Request | string, init?: RequestInit) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    return originalFetch(typeof input === 'string' ? new URL(input, origin) : input, init);
  });
}

/** An element for a React root whose components render nothing. */
export const createContainer = (): Element =>
  Object.assign(new EventTarget(), {
    nodeType: 1,
    nodeName: 'DIV',
    tagName: 'DIV',
    namespaceURI: 'http://www.w3.org/1999/xhtml',
    ownerDocument: document,
    firstChild: null,
    textContent: '',
  }) as unknown as Element;

export function setOnline(next: boolean): void {
  isOnline = next;
  page.dispatchEvent(new Event(next ? 'online' : 'offline'));
}
