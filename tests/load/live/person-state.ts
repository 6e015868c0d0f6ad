import { createListeners } from '@atrium/web/lib/listeners';
import type { PersonStore } from '@atrium/web/lib/session/user-scoped-store';

/** As the app's state of whoever is signed in, of one browser of many. */
export function personState<State>(owner: string, state: State): PersonStore<State> {
  const { subscribe, tell } = createListeners();
  return {
    owner: () => owner,
    get: () => state,
    change(_owner, edit) {
      const next = edit(state);
      if (next === state) return state;
      state = next;
      tell();
      return state;
    },
    subscribe,
  };
}
