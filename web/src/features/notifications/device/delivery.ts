import { useSyncExternalStore } from 'react';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';

/** How notifications reach this device: as push messages, or only from a page of Atrium that is open. */
export type Delivery = 'starting' | 'pushed' | 'while-open' | 'failed';

const delivery = createUserScopedStore<Delivery>(() => 'starting');

export const setDelivery = (next: Delivery): void => void delivery.change(delivery.owner(), () => next);

export const useDelivery = (): Delivery => useSyncExternalStore(delivery.subscribe, delivery.get);
