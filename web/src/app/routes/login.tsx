import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LoginForm } from '#features/sign-in/login-form.tsx';
import { useLinkToken } from '#features/sign-in/use-link-token.ts';
import { useSetup } from '#features/sign-in/use-setup.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useSession } from '#lib/session/session.ts';
import { Spinner } from '#ui/spinner.tsx';
import type { LoginState } from '../router/protected.tsx';
import { useTitle } from '../router/use-title.ts';
import { AuthLayout } from './auth-layout.tsx';

const SetupForm = lazyNamed(() => import('#features/sign-in/setup-form.tsx'), 'SetupForm');

export default function Login() {
  const session = useSession();
  const destination = getDestination(useLocation().state);
  useTitle('Sign in');
  if (session.state === 'authenticated' || session.state === 'unreachable')
    return <Navigate to={destination} replace />;
  return <SignInOrSetup />;
}

function SignInOrSetup() {
  const setup = useSetup();
  const { token, forget } = useLinkToken('setup');
  const loadingLayout = <AuthLayout title="Welcome back" lead={<Spinner label="Loading" />} />;
  if (!setup) return loadingLayout;
  if (!setup.setupRequired)
    return (
      <AuthLayout title="Welcome back" lead="Sign in to your account to continue">
        <LoginForm />
      </AuthLayout>
    );
  return (
    <Suspense fallback={loadingLayout}>
      <AuthLayout title="Set up Atrium" lead="There are no users yet. You will be the first administrator.">
        <SetupForm isTokenRequired={setup.setupTokenRequired} token={token} onDone={forget} />
      </AuthLayout>
    </Suspense>
  );
}

function getDestination(state: unknown): string {
  const from = (state as LoginState | null)?.from;
  return from ? `${from.pathname}${from.search}${from.hash}` : '/';
}
