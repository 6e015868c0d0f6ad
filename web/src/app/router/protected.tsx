import { useDeferredValue } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { loadProfile, useSession } from '#lib/session/session.ts';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { SpinnerPage } from '#ui/spinner.tsx';

/** The destination of a redirected visitor, used after sign-in. */
export type LoginState = { from?: { pathname: string; search: string; hash: string } };

/** Renders its routes for signed-in users; others wait for the session, then are redirected to sign in. */
export function Protected() {
  const session = useSession();
  const location = useLocation();
  // Deferred, because rendering the whole app directly on a session change could not be interrupted.
  const isSignedIn = useDeferredValue(session.state === 'authenticated');
  if (session.state === 'loading' || (session.state === 'authenticated' && !isSignedIn)) return <SpinnerPage />;
  if (session.state === 'anonymous') {
    const state: LoginState = session.hasSignedOut ? {} : { from: location };
    return <Navigate to="/login" replace state={state} />;
  }
  if (session.state === 'unreachable')
    return (
      <Center>
        <ErrorState
          title="Atrium cannot be reached"
          detail="You are still signed in. Check your connection and try again."
          onRetry={() => void loadProfile()}
        />
      </Center>
    );
  return <Outlet />;
}

const Center = styled.main`
  min-height: 100dvh;
  display: grid;
  place-items: center;
`;
