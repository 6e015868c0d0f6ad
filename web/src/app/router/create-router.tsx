import { Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, useRouteError } from 'react-router-dom';
import { SpinnerPage } from '#ui/spinner.tsx';
import { NavigationEffects } from './navigation-effects.tsx';
import { UnsavedChangesPrompt } from './unsaved-changes-prompt.tsx';

/**
 * The browser router. Render `RouterProvider` without transitions: search inputs are controlled by the URL, and would
 * lose input if it were updated late.
 */
export function createRouter(routes: RouteObject[]) {
  return createBrowserRouter([{ element: <Frame />, errorElement: <Rethrown />, children: routes }]);
}

function Frame() {
  return (
    <>
      <NavigationEffects />
      <Suspense fallback={<SpinnerPage />}>
        <Outlet />
      </Suspense>
      <UnsavedChangesPrompt />
    </>
  );
}

/**
 * Errors that no screen caught go to the app's error boundary, which reports them and keeps drafts, instead of the
 * router's default screen.
 */
function Rethrown(): never {
  throw useRouteError();
}
