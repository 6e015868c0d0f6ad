import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { AcceptInviteForm } from '#features/sign-in/accept-invite-form.tsx';
import { useLinkToken } from '#features/sign-in/use-link-token.ts';
import { Notice } from '#ui/notice.tsx';
import { showError } from '#ui/overlays/toast.ts';
import { useTitle } from '../router/use-title.ts';
import { AuthFooter, AuthLayout } from './auth-layout.tsx';

const LOGIN_REDIRECT_DELAY_MS = 3_000;
const DASHBOARD_REDIRECT_DELAY_MS = 1_500;

export default function AcceptInvite() {
  const { token, forget } = useLinkToken('token');
  useTitle('Accept invitation');
  return token ? <Invitation token={token} onUsed={forget} /> : <NoInvitation />;
}

function Invitation({ token, onUsed }: { token: string; onUsed: () => void }) {
  const navigate = useNavigate();
  const [isAccepted, setAccepted] = useState(false);
  const finish = () => {
    onUsed();
    setAccepted(true);
  };
  useEffect(() => {
    if (!isAccepted) return;
    const timer = setTimeout(() => void navigate('/', { replace: true }), DASHBOARD_REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isAccepted, navigate]);
  return (
    <AuthLayout title="Join your team" lead="Choose a password to activate your account">
      <AcceptInviteForm token={token} onAccepted={finish} />
      <AuthFooter>
        <Link to="/login">Already activated? Sign in</Link>
      </AuthFooter>
    </AuthLayout>
  );
}

function NoInvitation() {
  const navigate = useNavigate();
  useEffect(() => {
    showError('Invalid Invite', 'No invitation token found. Please check your invitation link.');
    const timer = setTimeout(() => void navigate('/login', { replace: true }), LOGIN_REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <AuthLayout title="Invalid Invitation" lead="You will be taken to the sign-in page.">
      <Notice tone="danger" isAnnounced={false}>
        No invitation token found. Please check your invitation link.
      </Notice>
    </AuthLayout>
  );
}
