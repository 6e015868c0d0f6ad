import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { showSuccess } from './toast.ts';

const shown = createUserScopedStore<{ address: string | null }>(() => ({ address: null }));

export const onShownLinkChange = shown.subscribe;
export const shownLink = (): string | null => shown.get().address;

export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    showSuccess('Link copied');
  } catch {
    shown.change(shown.owner(), () => ({ address }));
  }
}

export function closeShownLink(): void {
  shown.change(shown.owner(), () => ({ address: null }));
}
