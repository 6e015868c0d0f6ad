import { tabStorage } from '../../lib/session/storage.ts';

const STORED = 'atrium:scroll-positions';
/** A visit goes through more places than anybody goes back to. */
const KEPT = 100;

/** How far down each entry of the history was left, by its key; kept for a reload. */
export class ScrollPositions {
  readonly #positions = new Map<string, number>(readStored());
  #present = '';
  #stopRestoring: (() => void) | null = null;

  /** Notes where the person scrolls to from now on; the returned function ends that. */
  follow(): () => void {
    const before = window.history.scrollRestoration;
    // The browser would scroll before the screen is there.
    window.history.scrollRestoration = 'manual';
    const note = () => this.#stopRestoring ?? this.#note(window.scrollY);
    const store = () => tabStorage.write(STORED, JSON.stringify([...this.#positions].slice(-KEPT)));
    window.addEventListener('scroll', note, { passive: true });
    window.addEventListener('pagehide', store);
    return () => {
      this.#stopRestoring?.();
      window.history.scrollRestoration = before;
      window.removeEventListener('scroll', note);
      window.removeEventListener('pagehide', store);
    };
  }

  /** A screen that was gone to begins at its top. */
  begin(key: string): void {
    this.#enter(key);
    this.#note(0);
    window.scrollTo(0, 0);
  }

  /** The same screen under another address stays where it is. */
  stay(key: string): void {
    this.#enter(key);
    this.#note(window.scrollY);
  }

  /** One that was come back to is where it was left, as soon as there is enough of it again, unless the person scrolls before. */
  restore(key: string): void {
    this.#enter(key);
    const top = this.#positions.get(key) ?? 0;
    window.scrollTo(0, top);
    if (window.scrollY >= top) return;
    const growth = new ResizeObserver(() => {
      window.scrollTo(0, top);
      if (window.scrollY >= top) stop();
    });
    const stop = () => {
      growth.disconnect();
      for (const sign of OWN_SCROLLING) window.removeEventListener(sign, stop);
      this.#stopRestoring = null;
    };
    growth.observe(document.body);
    for (const sign of OWN_SCROLLING) window.addEventListener(sign, stop, { passive: true });
    this.#stopRestoring = stop;
  }

  #enter(key: string): void {
    this.#stopRestoring?.();
    this.#present = key;
  }

  #note(top: number): void {
    this.#positions.delete(this.#present);
    this.#positions.set(this.#present, top);
  }
}

const OWN_SCROLLING = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(STORED) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPosition) : [];
  } catch {
    return [];
  }
}

function isPosition(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
