import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LoginForm } from '../../features/sign-in/login-form.tsx';
import { useIsSetupRequired } from '../../features/sign-in/use-setup.ts';
import { lazy } from '../../lib/lazy.ts';
import { useSession } from '../../lib/use-session.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Entrance } from '../entrance.tsx';
import type { LoginState } from '../protected.tsx';
import { useTitle } from '../use-title.ts';

const SetupForm = lazy(() =>
  import('../../features/sign-in/setup-form.tsx').then((module) => ({ default: module.SetupForm })),
);

export default function Login() {
  const session = useSession();
  const origin = originOf(useLocation().state);
  useTitle('Sign in');
  if (session.state === 'authenticated' || session.state === 'unreachable') return <Navigate to={origin} replace />;
  return (
    <Suspense fallback={<Entrance title="Welcome back" lead={<Spinner label="Loading" />} />}>
      <SignInOrSetup />
    </Suspense>
  );
}

function SignInOrSetup() {
  if (useIsSetupRequired())
    return (
      <Entrance title="Set up Atrium" lead="Nobody is here yet. You will be the first administrator.">
        <SetupForm />
      </Entrance>
    );
  return (
    <Entrance title="Welcome back" lead="Sign in to your account to continue">
      <LoginForm />
    </Entrance>
  );
}

/** The page they came for, else the dashboard. */
function originOf(state: unknown): string {
  const from = (state as LoginState | null)?.from;
  return from ? `${from.pathname}${from.search}${from.hash}` : '/';
}
