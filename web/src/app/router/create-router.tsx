import { Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, useRouteError } from 'react-router-dom';
import { SpinnerPage } from '#ui/spinner.tsx';
import { NavigationEffects } from './navigation-effects.tsx';
import { UnsavedChangesPrompt } from './unsaved-changes-prompt.tsx';

/** Render `RouterProvider` without transitions: search inputs are controlled by the URL and would lose input. */
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

/** Passes errors to the error boundary, which reports them and keeps drafts. */
function Rethrown(): never {
  throw useRouteError();
}
