import { currentToast, dismissToast } from '../src/ui/overlays/toast.ts';

/** Isolates tests from each other's toasts. */
export function dismissToasts(): void {
  for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
}
