import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { lazy } from '../../lib/lazy.ts';
import { SpinnerPage } from '../../ui/spinner.tsx';
import { FollowNavigation } from './follow-navigation.tsx';
import { GuardedRouter } from './guarded-router.tsx';
import { Protected } from './protected.tsx';

const Login = lazy(() => import('../routes/login.tsx'));
const AcceptInvite = lazy(() => import('../routes/accept-invite.tsx'));
const ForgotPassword = lazy(() => import('../routes/forgot-password.tsx'));
const ResetPassword = lazy(() => import('../routes/reset-password.tsx'));
const Settings = lazy(() => import('../routes/settings.tsx'));
const NotFound = lazy(() => import('../routes/not-found.tsx'));
const Shell = lazy(() => import('../shell/shell.tsx'));
const Dashboard = lazy(() => import('../routes/dashboard.tsx'));
const Progress = lazy(() => import('../routes/progress.tsx'));
const Project = lazy(() => import('../routes/project.tsx'));
const Meetings = lazy(() => import('../routes/meetings.tsx'));
const Documents = lazy(() => import('../routes/documents.tsx'));
const Chat = lazy(() => import('../routes/chat.tsx'));
const Team = lazy(() => import('../routes/team.tsx'));
const Departments = lazy(() => import('../routes/departments.tsx'));
const UserManagement = lazy(() => import('../routes/user-management.tsx'));

/** Every screen there is; each is loaded when it is gone to. */
export function Router() {
  return (
    <GuardedRouter>
      <FollowNavigation />
      <Suspense fallback={<SpinnerPage />}>
        <Routes>
          <Route path="/login" element={<Login />} />
          <Route path="/accept-invite" element={<AcceptInvite />} />
          <Route path="/forgot-password" element={<ForgotPassword />} />
          <Route path="/reset-password" element={<ResetPassword />} />
          <Route element={<Protected />}>
            <Route element={<Shell />}>
              <Route index element={<Dashboard />} />
              <Route path="/progress" element={<Progress />} />
              <Route path="/progress-tracker" element={<Progress />} />
              <Route path="/progress/:projectId" element={<Project />} />
              <Route path="/meetings" element={<Meetings />} />
              <Route path="/documents" element={<Documents />} />
              <Route path="/document-hub" element={<Documents />} />
              <Route path="/chat" element={<Chat />} />
              <Route path="/settings" element={<Settings />} />
              <Route path="/team" element={<Team />} />
              <Route path="/departments" element={<Departments />} />
              <Route path="/user-management" element={<UserManagement />} />
            </Route>
          </Route>
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </GuardedRouter>
  );
}
