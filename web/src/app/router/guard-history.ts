import type { Location, NavigationType, Navigator } from 'react-router-dom';
import { isPageHeld, leavePage, onLeave } from '../../lib/forms/leave-guard.ts';

type Place = { action: NavigationType; location: Location };
type Update = Place & { delta: number | null };

/** What is used of React Router's browser history. */
type History = Navigator & Place & { listen: (onUpdate: (update: Update) => void) => () => void };

type OnPlace = (place: Place) => void;
/** Called instead of going; `go` goes after all. */
type OnAsk = (go: () => void) => void;

/** Lets nobody leave a held page by a link, by code, or by back and forward without being asked; within the page all is free. */
export function guardHistory(history: History) {
  let present: Place = { action: history.action, location: history.location };
  /** Moves of the address bar that this guard makes itself: back to where it was, or on after the question. */
  let ownMoves = 0;

  const isElsewhere = (pathname: string | undefined) =>
    pathname !== undefined && pathname !== present.location.pathname;
  // What is open may stand in the query: links within the page are the page's own doing, back and forward are not.
  const isLeft = ({ pathname, search }: Location) =>
    isPageHeld() && pathname + search !== present.location.pathname + present.location.search;
  const whenFree = (to: Parameters<Navigator['push']>[0], go: () => void) =>
    isElsewhere(typeof to === 'string' ? new URL(to, window.location.href).pathname : to.pathname)
      ? leavePage(go)
      : go();

  const moveBy = (delta: number) => {
    ownMoves += 1;
    history.go(delta);
  };

  const navigator: Navigator = {
    createHref: (to) => history.createHref(to),
    // Code goes back only from what it opened itself over the same page.
    go: (delta) => moveBy(delta),
    push: (to, state, options) => whenFree(to, () => history.push(to, state, options)),
    replace: (to, state, options) => whenFree(to, () => history.replace(to, state, options)),
    ...(history.encodeLocation && { encodeLocation: history.encodeLocation }),
  };

  function listen(onPlace: OnPlace, onAsk: OnAsk): () => void {
    const stopAsking = onLeave(onAsk);
    const stopListening = history.listen(({ action, location, delta }) => {
      const isOwn = ownMoves > 0 && action === 'POP';
      if (isOwn) ownMoves -= 1;
      // The address has moved already: it is put back, and moved again once the answer is to leave.
      if (!isOwn && action === 'POP' && delta && isLeft(location)) {
        moveBy(-delta);
        onAsk(() => moveBy(delta));
        return;
      }
      present = { action, location };
      onPlace(present);
    });
    return () => {
      stopAsking();
      stopListening();
    };
  }

  return { place: present, navigator, listen };
}
