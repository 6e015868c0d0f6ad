import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { chosenConventions } from '#lib/date-preferences.ts';
import { watchDrafts } from '#lib/forms/drafts.ts';
import { englishLocaleOf } from '#lib/locale.ts';
import { onSessionChange, startSession } from '#lib/session/session.ts';
import { accessToken, watchTokens } from '#lib/session/tokens.ts';
import '#ui/global.css';
import './app-shell.css';
import { Toaster } from '#ui/overlays/toaster.tsx';
import { watchTheme } from '#ui/theme-choice.ts';
import { ErrorBoundary } from './router/error-boundary.tsx';
import { reportUncaughtErrors } from './router/report-error.ts';
import { loadScreen, Router } from './router/router.tsx';
import { watchVersions } from './shell/new-version.ts';

reportUncaughtErrors();
watchVersions();
watchTheme();
watchTokens();
watchDrafts();
// After logout, no shell is shown (`app-shell.css`).
onSessionChange(() => {
  if (!accessToken()) delete document.documentElement.dataset.signedIn;
});
startSession();
loadScreen();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <I18nProvider locale={englishLocaleOf(chosenConventions())}>
          <Router />
          <Toaster />
        </I18nProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
