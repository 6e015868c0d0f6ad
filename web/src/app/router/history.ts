import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  NavigationType,
  type Navigator,
  type Path,
  parsePath,
  type To,
} from 'react-router-dom';
import { isNavigatingUnblocked, isNavigationBlocked } from '#lib/forms/unsaved-changes.ts';
import { createListeners } from '#lib/listeners.ts';

type Entry = { action: NavigationType; location: Location };

/** A navigation that would lose unsaved changes and waits for the user's decision. */
type HeldNavigation = { proceed: () => void; cancel: () => void };

/**
 * The browser's history for React Router's declarative mode, with one addition: a navigation that loses unsaved changes is
 * held until the user decides. The data router does the same, but its loaders, actions, and fetchers, which this app does
 * not use, are 15 KB of every first load.
 */
export class AppHistory {
  readonly #history = createBrowserHistory();
  readonly #listeners = createListeners();
  #entry: Entry = { action: NavigationType.Pop, location: this.#history.location };
  #held: HeldNavigation | null = null;
  /** Set while the entry of a held navigation is being restored, which is the next pop. */
  #onRestored: (() => void) | null = null;
  #isNextPopUnblocked = false;
  readonly #stop = this.#history.listen(({ location, delta }) => this.#pop(location, delta));

  readonly navigator: Navigator = {
    createHref: (to) => this.#history.createHref(to),
    encodeLocation: (to) => this.#history.encodeLocation(to),
    go: (delta) => (isNavigatingUnblocked() ? this.#goUnblocked(delta) : this.#history.go(delta)),
    push: (to, state) => this.#write(NavigationType.Push, to, () => this.#history.push(to, state)),
    replace: (to, state) => this.#write(NavigationType.Replace, to, () => this.#history.replace(to, state)),
  };

  readonly subscribe = this.#listeners.subscribe;
  readonly getEntry = (): Entry => this.#entry;
  readonly getHeld = (): HeldNavigation | null => this.#held;

  dispose(): void {
    this.#stop();
  }

  #write(action: NavigationType, to: To, write: () => void): void {
    const run = () => {
      write();
      this.#settle(action);
    };
    const next = { ...this.#entry.location, ...(typeof to === 'string' ? parsePath(to) : to) };
    if (losesChanges(this.#entry.location, next, action)) this.#hold(run);
    else run();
  }

  #pop(location: Location, delta: number | null): void {
    if (this.#onRestored) {
      this.#onRestored();
      this.#onRestored = null;
      return;
    }
    const isUnblocked = this.#isNextPopUnblocked;
    this.#isNextPopUnblocked = false;
    // Without a delta, the entry was not created by this app.
    if (!isUnblocked && delta !== null && losesChanges(this.#entry.location, location, NavigationType.Pop))
      this.#restoreAndHold(delta);
    else this.#settle(NavigationType.Pop);
  }

  #restoreAndHold(delta: number): void {
    const { promise: isRestored, resolve } = Promise.withResolvers<void>();
    this.#onRestored = resolve;
    this.#history.go(-delta);
    this.#hold(() => void isRestored.then(() => this.#goUnblocked(delta)));
  }

  #goUnblocked(delta: number): void {
    this.#isNextPopUnblocked = true;
    this.#history.go(delta);
  }

  #settle(action: NavigationType): void {
    this.#held = null;
    this.#entry = { action, location: this.#history.location };
    this.#listeners.notify();
  }

  #hold(proceed: () => void): void {
    this.#held = { proceed: () => this.#release(proceed), cancel: () => this.#release() };
    this.#listeners.notify();
  }

  #release(proceed?: () => void): void {
    this.#held = null;
    this.#listeners.notify();
    proceed?.();
  }
}

/** Navigation within a page loses nothing, except for Back and Forward, which may close an overlay in the query. */
function losesChanges(current: Path, next: Path, action: NavigationType): boolean {
  if (!isNavigationBlocked() || isNavigatingUnblocked()) return false;
  if (next.pathname !== current.pathname) return true;
  return action === NavigationType.Pop && next.search !== current.search;
}
