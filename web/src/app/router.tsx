import { type ComponentType, useState } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import { accessToken } from '#lib/api/tokens.ts';
import { lazy } from '#lib/lazy.ts';
import { AppRouter } from './router/app-router.tsx';
import { AppHistory } from './router/history.ts';
import { Protected } from './router/protected.tsx';

type Load = () => Promise<{ default: ComponentType }>;
type Preload = () => Promise<void>;

/** A screen that `handle` has loaded is rendered without a fallback: React shows nothing else for 300 ms after one. */
function screen(load: Load) {
  const LazyScreen = lazy(load);
  let loadedScreen: ComponentType = LazyScreen;
  function Screen() {
    const [Current] = useState(() => loadedScreen);
    return <Current />;
  }
  const preload: Preload = async () => {
    loadedScreen = (await load()).default;
  };
  return { element: <Screen />, handle: preload };
}

const progress = screen(() => import('./routes/progress.tsx'));
const meetings = screen(() => import('./routes/meetings.tsx'));
const documents = screen(() => import('./routes/documents.tsx'));

const history = new AppHistory();

const routes: RouteObject[] = [
  { path: '/login', ...screen(() => import('./routes/login.tsx')) },
  { path: '/accept-invite', ...screen(() => import('./routes/accept-invite.tsx')) },
  { path: '/forgot-password', ...screen(() => import('./routes/forgot-password.tsx')) },
  { path: '/unsubscribe/:token', ...screen(() => import('./routes/unsubscribe.tsx')) },
  { path: '/reset-password', ...screen(() => import('./routes/reset-password.tsx')) },
  {
    element: <Protected />,
    children: [
      {
        ...screen(() => import('./shell/shell.tsx')),
        children: [
          { index: true, ...screen(() => import('./routes/dashboard.tsx')) },
          { path: '/my-work', ...screen(() => import('./routes/my-work.tsx')) },
          { path: '/progress', ...progress },
          { path: '/progress-tracker', ...progress },
          { path: '/progress/:projectId', ...screen(() => import('./routes/project.tsx')) },
          { path: '/meetings', ...meetings },
          { path: '/meetings/calendar', ...meetings },
          { path: '/documents', ...documents },
          { path: '/document-hub', ...documents },
          { path: '/chat', ...screen(() => import('./routes/chat.tsx')) },
          { path: '/notifications', ...screen(() => import('./routes/notifications.tsx')) },
          { path: '/search', ...screen(() => import('./routes/search.tsx')) },
          { path: '/settings', ...screen(() => import('./routes/settings.tsx')) },
          { path: '/team', ...screen(() => import('./routes/team.tsx')) },
          { path: '/departments', ...screen(() => import('./routes/departments.tsx')) },
          { path: '/activity', ...screen(() => import('./routes/activity.tsx')) },
          { path: '/user-management', ...screen(() => import('./routes/user-management.tsx')) },
          { path: '/user-management/statistics', ...screen(() => import('./routes/statistics.tsx')) },
        ],
      },
    ],
  },
  { path: '*', ...screen(() => import('./routes/not-found.tsx')) },
];

/**
 * Loads the current screen in parallel with the profile, for users with a token. Never rejects: rendering the screen
 * retries.
 */
export async function loadScreen(): Promise<void> {
  if (!accessToken()) return;
  const matches = matchRoutes(routes, history.getEntry().location) ?? [];
  await Promise.allSettled(matches.map(({ route }) => (route.handle as Preload | undefined)?.()));
}

export function Router() {
  return <AppRouter history={history} routes={routes} />;
}
