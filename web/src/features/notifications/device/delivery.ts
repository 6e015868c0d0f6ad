import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** How notifications reach this device: as push messages, or only from a page of Atrium that is open. */
export type Delivery = 'starting' | 'pushed' | 'while-open' | 'failed';

const store = createUserScopedStore<{ delivery: Delivery }>(() => ({ delivery: 'starting' }));

export const setDelivery = (delivery: Delivery): void => void store.change(store.owner(), () => ({ delivery }));

export const useDelivery = (): Delivery => useSyncExternalStore(store.subscribe, () => store.get().delivery);
