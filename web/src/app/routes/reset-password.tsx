import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type LinkError, ResetPasswordForm } from '#features/sign-in/reset-password-form.tsx';
import { useLinkToken } from '#features/sign-in/use-link-token.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { useTitle } from '../router/use-title.ts';
import { AuthFooter, AuthLayout } from './auth-layout.tsx';

const LINK_ERROR_TEXTS: Record<LinkError, { title: string; lead: string }> = {
  invalid: {
    title: 'This link is invalid',
    lead: 'It has already been used or is incomplete. You can request a new one.',
  },
  expired: { title: 'This link has expired', lead: 'Links expire after one hour. You can request a new one.' },
};

export default function ResetPassword() {
  useTitle('Set a new password');
  const navigate = useNavigate();
  const { token, forget } = useLinkToken('token');
  const [linkError, setLinkError] = useState<LinkError | null>(token ? null : 'invalid');
  const finish = () => {
    forget();
    void navigate('/', { replace: true });
  };
  const fail = (error: LinkError) => {
    forget();
    setLinkError(error);
  };
  if (!token || linkError)
    return (
      <AuthLayout {...LINK_ERROR_TEXTS[linkError ?? 'invalid']}>
        <ButtonLink to="/forgot-password" variant="primary" isFullWidth>
          Request a new link
        </ButtonLink>
        <AuthFooter>
          <Link to="/login">Back to sign in</Link>
        </AuthFooter>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Set a new password" lead="You will be signed in here and signed out everywhere else.">
      <ResetPasswordForm token={token} onDone={finish} onLinkError={fail} />
    </AuthLayout>
  );
}
