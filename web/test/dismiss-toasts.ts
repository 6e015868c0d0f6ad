import { currentToast, dismissToast } from '../src/ui/overlays/toast.ts';

/** So that no test sees what another has told. */
export function dismissToasts(): void {
  for (let toast = currentToast(); toast; toast = currentToast()) dismissToast(toast.id);
}
