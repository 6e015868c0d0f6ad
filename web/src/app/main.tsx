import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchDrafts } from '../lib/drafts.ts';
import { startSession } from '../lib/session.ts';
import { watchTokens } from '../lib/tokens.ts';
import '../ui/global.css';
import { watchTheme } from '../ui/theme-choice.ts';
import { Toaster } from '../ui/toaster.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { followVersions } from './new-version.ts';
import { reportFaults } from './report-fault.ts';
import { Router } from './router.tsx';

reportFaults();
followVersions();
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
        <Toaster />
      </ErrorBoundary>
    </StrictMode>,
  );
