import { Suspense } from 'react';
import { createBrowserRouter, Outlet, type RouteObject, useRouteError } from 'react-router-dom';
import { SpinnerPage } from '../../ui/spinner.tsx';
import { NavigationEffects } from './navigation-effects.tsx';
import { UnsavedChangesPrompt } from './unsaved-changes-prompt.tsx';

/**
 * The router of the address bar. Give `RouterProvider` no transitions: the address holds what is typed into a search, and an input
 * whose value comes a transition late loses what is typed meanwhile.
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

/** What no screen caught is for the boundary around the app, which tells the server and spares the drafts; the router would show words of its own. */
function Rethrown(): never {
  throw useRouteError();
}
