import { tabStorage } from '#lib/storage.ts';

const STORAGE_KEY = 'atrium:scroll-positions';
const MAX_POSITIONS = 100;

export class ScrollPositions {
  readonly #positions = new Map<string, number>(readStored());
  #currentKey = '';
  #stopRestoring: (() => void) | null = null;

  follow(): () => void {
    const previousMode = window.history.scrollRestoration;
    // The browser would scroll before the screen is rendered.
    window.history.scrollRestoration = 'manual';
    const record = () => this.#stopRestoring ?? this.#record(window.scrollY);
    const store = () => tabStorage.write(STORAGE_KEY, JSON.stringify([...this.#positions].slice(-MAX_POSITIONS)));
    window.addEventListener('scroll', record, { passive: true });
    window.addEventListener('pagehide', store);
    return () => {
      this.#stopRestoring?.();
      window.history.scrollRestoration = previousMode;
      window.removeEventListener('scroll', record);
      window.removeEventListener('pagehide', store);
    };
  }

  begin(key: string): void {
    this.#enter(key);
    this.#record(0);
    window.scrollTo(0, 0);
  }

  stay(key: string): void {
    this.#enter(key);
    this.#record(window.scrollY);
  }

  /** A revisited screen returns to its position once it is tall enough, unless the user scrolls first. */
  restore(key: string): void {
    this.#enter(key);
    const top = this.#positions.get(key) ?? 0;
    window.scrollTo(0, top);
    if (window.scrollY >= top) return;
    const resizeObserver = new ResizeObserver(() => {
      window.scrollTo(0, top);
      if (window.scrollY >= top) stop();
    });
    const stop = () => {
      resizeObserver.disconnect();
      for (const eventName of USER_SCROLL_EVENTS) window.removeEventListener(eventName, stop);
      this.#stopRestoring = null;
    };
    resizeObserver.observe(document.body);
    for (const eventName of USER_SCROLL_EVENTS) window.addEventListener(eventName, stop, { passive: true });
    this.#stopRestoring = stop;
  }

  #enter(key: string): void {
    this.#stopRestoring?.();
    this.#currentKey = key;
  }

  #record(top: number): void {
    this.#positions.delete(this.#currentKey);
    this.#positions.set(this.#currentKey, top);
  }
}

const USER_SCROLL_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPosition) : [];
  } catch {
    return [];
  }
}

function isPosition(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
