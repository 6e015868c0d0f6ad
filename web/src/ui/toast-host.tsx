import { lazy, Suspense, useSyncExternalStore } from 'react';
import { whenToastWanted } from './toast.ts';

const Toaster = lazy(() => import('./toaster.tsx').then((module) => ({ default: module.Toaster })));

let isWanted = false;

function subscribe(notify: () => void): () => void {
  return whenToastWanted(() => {
    isWanted = true;
    notify();
  });
}

/**
 * Stands once in the app; keeps the toast library out of the first load. Toasts stand above dialogs: what React Aria marks so is
 * neither hidden from screen readers by a dialog nor outside of it. The mark must be there before the dialog is, so the first toast
 * of a page cannot bring it along.
 */
export function ToastHost() {
  const wanted = useSyncExternalStore(subscribe, () => isWanted);
  return (
    <div data-react-aria-top-layer="true">
      {wanted && (
        <Suspense fallback={null}>
          <Toaster />
        </Suspense>
      )}
    </div>
  );
}
