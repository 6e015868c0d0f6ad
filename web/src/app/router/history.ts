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
export type HeldNavigation = { proceed: () => void; cancel: () => void };

export type AppHistory = ReturnType<typeof createAppHistory>;

/**
 * The browser's history for React Router's declarative mode, with one addition: a navigation that loses unsaved changes is
 * held until the user decides. The data router does the same, but its loaders, actions, and fetchers, which this app does
 * not use, are 15 KB of every first load.
 */
export function createAppHistory() {
  const history = createBrowserHistory();
  const listeners = createListeners();
  let entry: Entry = { action: NavigationType.Pop, location: history.location };
  let held: HeldNavigation | null = null;
  /** The next pop only restores the entry of a held navigation. */
  let onRestored: (() => void) | null = null;
  let isNextPopUnblocked = false;

  const settle = (action: Entry['action']) => {
    held = null;
    entry = { action, location: history.location };
    listeners.notify();
  };
  const hold = (proceed: () => void) => {
    const release = (then?: () => void) => {
      held = null;
      listeners.notify();
      then?.();
    };
    held = { proceed: () => release(proceed), cancel: () => release() };
    listeners.notify();
  };
  const goUnblocked = (delta: number) => {
    isNextPopUnblocked = true;
    history.go(delta);
  };
  const write = (action: NavigationType.Push | NavigationType.Replace, to: To, state: unknown) => {
    const run = () => {
      if (action === NavigationType.Push) history.push(to, state);
      else history.replace(to, state);
      settle(action);
    };
    const next = { ...entry.location, ...(typeof to === 'string' ? parsePath(to) : to) };
    if (losesChanges(entry.location, next, action)) hold(run);
    else run();
  };
  const stop = history.listen(({ location, delta }) => {
    if (onRestored) {
      onRestored();
      onRestored = null;
      return;
    }
    const isUnblocked = isNextPopUnblocked;
    isNextPopUnblocked = false;
    // Without a delta, the entry was not created by this app.
    if (isUnblocked || delta === null || !losesChanges(entry.location, location, NavigationType.Pop))
      return settle(NavigationType.Pop);
    const { promise: isRestored, resolve } = Promise.withResolvers<void>();
    onRestored = resolve;
    history.go(-delta);
    hold(() => void isRestored.then(() => goUnblocked(delta)));
  });

  const navigator: Navigator = {
    createHref: history.createHref,
    encodeLocation: history.encodeLocation,
    go: (delta) => (isNavigatingUnblocked() ? goUnblocked(delta) : history.go(delta)),
    push: (to, state) => write(NavigationType.Push, to, state),
    replace: (to, state) => write(NavigationType.Replace, to, state),
  };
  return {
    navigator,
    subscribe: listeners.subscribe,
    getEntry: () => entry,
    getHeld: () => held,
    dispose: stop,
  };
}

/** Navigation within a page loses nothing, except for Back and Forward, which may close an overlay in the query. */
function losesChanges(current: Path, next: Path, action: Entry['action']): boolean {
  if (!isNavigationBlocked() || isNavigatingUnblocked()) return false;
  if (next.pathname !== current.pathname) return true;
  return action === NavigationType.Pop && next.search !== current.search;
}
