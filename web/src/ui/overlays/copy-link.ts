import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { showSuccess } from './toast.ts';

const shownLinkStore = createUserScopedStore<{ address: string | null }>(() => ({ address: null }));

export const onShownLinkChange = shownLinkStore.subscribe;
export const shownLink = (): string | null => shownLinkStore.get().address;

export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    showSuccess('Link copied');
  } catch {
    shownLinkStore.change(shownLinkStore.owner(), () => ({ address }));
  }
}

export function closeShownLink(): void {
  shownLinkStore.change(shownLinkStore.owner(), () => ({ address: null }));
}
