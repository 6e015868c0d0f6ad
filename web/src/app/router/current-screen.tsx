import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { SpinnerPage } from '#ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

/**
 * Unmounts the previous screen immediately: React would keep it hidden with its effects running, and chat
 * would continue to mark messages as read.
 */
export function CurrentScreen() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary pathname={pathname}>
      <Suspense key={pathname.split('/', 2)[1]} fallback={<SpinnerPage />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}
