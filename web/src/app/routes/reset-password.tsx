import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { type LinkFault, ResetPasswordForm } from '../../features/sign-in/reset-password-form.tsx';
import { useLinkToken } from '../../features/sign-in/use-link-token.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { AuthLayout, AuthFooter } from '../auth-layout.tsx';
import { useTitle } from '../router/use-title.ts';

const LINK_ERROR_TEXTS: Record<LinkFault, { title: string; lead: string }> = {
  invalid: {
    title: 'This link is invalid',
    lead: 'It has been used already, or was not copied whole. You can ask for a new one.',
  },
  expired: { title: 'This link has expired', lead: 'A link works for an hour. You can ask for a new one.' },
};

export default function ResetPassword() {
  useTitle('Set a new password');
  const navigate = useNavigate();
  const { token, forget } = useLinkToken('token');
  const [linkError, setLinkError] = useState<LinkFault | null>(token ? null : 'invalid');
  const done = () => {
    forget();
    void navigate('/', { replace: true });
  };
  const fail = (found: LinkFault) => {
    forget();
    setLinkError(found);
  };
  if (!token || linkError)
    return (
      <AuthLayout {...LINK_ERROR_TEXTS[linkError ?? 'invalid']}>
        <ButtonLink to="/forgot-password" variant="primary" isFullWidth>
          Ask for a new link
        </ButtonLink>
        <AuthFooter>
          <Link to="/login">Back to sign in</Link>
        </AuthFooter>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Set a new password" lead="It signs you in here, and out everywhere else.">
      <ResetPasswordForm token={token} onDone={done} onLinkFault={fail} />
    </AuthLayout>
  );
}
