import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchDrafts } from '../lib/drafts.ts';
import { startSession } from '../lib/session.ts';
import { watchTokens } from '../lib/tokens.ts';
import '../ui/global.css';
import { watchTheme } from '../ui/theme-choice.ts';
import { ToastHost } from '../ui/toast-host.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { reloadForNewVersion } from './reload-for-new-version.ts';
import { Router } from './router.tsx';

reloadForNewVersion();
watchTheme();
watchTokens();
watchDrafts();
startSession();

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <Router />
        <ToastHost />
      </ErrorBoundary>
    </StrictMode>,
  );
