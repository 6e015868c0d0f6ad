import { RouterProvider } from 'react-router-dom';
import { lazy } from '../../lib/lazy.ts';
import { createRouter } from './create-router.tsx';
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
const router = createRouter([
  { path: '/login', element: <Login /> },
  { path: '/accept-invite', element: <AcceptInvite /> },
  { path: '/forgot-password', element: <ForgotPassword /> },
  { path: '/reset-password', element: <ResetPassword /> },
  {
    element: <Protected />,
    children: [
      {
        element: <Shell />,
        children: [
          { index: true, element: <Dashboard /> },
          { path: '/progress', element: <Progress /> },
          { path: '/progress-tracker', element: <Progress /> },
          { path: '/progress/:projectId', element: <Project /> },
          { path: '/meetings', element: <Meetings /> },
          { path: '/documents', element: <Documents /> },
          { path: '/document-hub', element: <Documents /> },
          { path: '/chat', element: <Chat /> },
          { path: '/settings', element: <Settings /> },
          { path: '/team', element: <Team /> },
          { path: '/departments', element: <Departments /> },
          { path: '/user-management', element: <UserManagement /> },
        ],
      },
    ],
  },
  { path: '*', element: <NotFound /> },
]);

export function Router() {
  return <RouterProvider router={router} useTransitions={false} />;
}
