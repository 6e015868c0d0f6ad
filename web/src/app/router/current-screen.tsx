import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { SpinnerPage } from '../../ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

/**
 * The screen of the address. One that is left goes at once, also while the code of the next is on its way: React would keep it out of
 * sight with all its effects, so that chat went on telling that what came was read.
 */
export function CurrentScreen() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary place={pathname}>
      <Suspense key={pathname.split('/', 2)[1]} fallback={<SpinnerPage />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}
