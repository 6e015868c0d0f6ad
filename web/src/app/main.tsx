import { StrictMode, startTransition } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { accessToken, watchTokens } from '#lib/api/tokens.ts';
import { watchDrafts } from '#lib/forms/drafts.ts';
import { onSessionChange, startSession } from '#lib/session/session.ts';
import { chosenConventions, toEnglishLocale } from '#lib/time/date-preferences.ts';
import '#ui/global.css';
import './app-shell.css';
import { Toaster } from '#ui/overlays/toaster.tsx';
import { watchTheme } from '#ui/theme-choice.ts';
import { ErrorBoundary, reportUncaughtErrors } from './router/error-boundary.tsx';
import { loadScreen, Router } from './router.tsx';
import { watchVersions } from './shell/banners/new-version.ts';

reportUncaughtErrors();
watchVersions();
watchTheme();
watchTokens();
watchDrafts();
// Hides the shell after logout (`app-shell.css`).
onSessionChange(() => {
  if (!accessToken()) delete document.documentElement.dataset.signedIn;
});
startSession();

// Until the screen has loaded, the page's own shell is visible. Not awaited: the screen imports this module's chunk, so it
// would wait for itself.
void loadScreen().then(render);

function render(): void {
  const root = document.getElementById('root');
  if (!root) return;
  const app = (
    <StrictMode>
      <ErrorBoundary>
        <I18nProvider locale={toEnglishLocale(chosenConventions())}>
          <Router />
          <Toaster />
        </I18nProvider>
      </ErrorBoundary>
    </StrictMode>
  );
  // Outside a transition, the first render is a single long task.
  startTransition(() => createRoot(root).render(app));
}
