import { Suspense, useSyncExternalStore } from 'react';
import { type RouteObject, Router, useRoutes } from 'react-router-dom';
import { SpinnerPage } from '#ui/spinner.tsx';
import type { AppHistory } from './history.ts';
import { NavigationEffects } from './navigation-effects.tsx';
import { UnsavedChangesPrompt } from './unsaved-changes-prompt.tsx';

type Props = { history: AppHistory; routes: RouteObject[] };

/** Renders without transitions: search inputs are controlled by the URL and would lose input. */
export function AppRouter({ history, routes }: Props) {
  const { action, location } = useSyncExternalStore(history.subscribe, history.getEntry);
  return (
    <Router location={location} navigationType={action} navigator={history.navigator} useTransitions={false}>
      <NavigationEffects />
      <Suspense fallback={<SpinnerPage />}>
        <Screen routes={routes} />
      </Suspense>
      <UnsavedChangesPrompt history={history} />
    </Router>
  );
}

const Screen = ({ routes }: Pick<Props, 'routes'>) => useRoutes(routes);
