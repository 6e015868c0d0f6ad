import { createListeners } from '@atrium/web/lib/listeners';
import type { UserScopedStore } from '@atrium/web/lib/session/user-scoped-store';

/** Creates the app's per-user state for one of many browsers in this process. */
export function createUserState<State>(owner: string, state: State): UserScopedStore<State> {
  const { subscribe, notify } = createListeners();
  return {
    owner: () => owner,
    get: () => state,
    change(_owner, edit) {
      const next = edit(state);
      if (next === state) return state;
      state = next;
      notify();
      return state;
    },
    subscribe,
  };
}
