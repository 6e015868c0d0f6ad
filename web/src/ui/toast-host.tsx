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

/** Stands once in the app; keeps the toast library out of the first load. */
export function ToastHost() {
  const wanted = useSyncExternalStore(subscribe, () => isWanted);
  return wanted ? (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  ) : null;
}
