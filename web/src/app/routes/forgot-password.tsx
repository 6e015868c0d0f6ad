import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { styled } from 'styled-components';
import { ForgotPasswordForm } from '#features/sign-in/forgot-password-form.tsx';
import { Button } from '#ui/button.tsx';
import { theme } from '#ui/theme.ts';
import { useTitle } from '../router/use-title.ts';
import { AuthFooter, AuthLayout } from './auth-layout.tsx';

export default function ForgotPassword() {
  useTitle('Forgot your password?');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [email, setEmail] = useState(parseEmail(useLocation().state));
  if (sentTo)
    return (
      <AuthLayout title="Check your inbox" lead={<SentText email={sentTo} />}>
        <Button
          isFullWidth
          onPress={() => {
            setEmail(sentTo);
            setSentTo(null);
          }}
        >
          Try another address
        </Button>
        <BackToSignIn />
      </AuthLayout>
    );
  return (
    <AuthLayout title="Forgot your password?" lead="We'll email you a link to reset it.">
      <ForgotPasswordForm email={email} onSent={setSentTo} />
      <BackToSignIn />
    </AuthLayout>
  );
}

/** Shows the same text for known and unknown addresses, so that it does not reveal accounts. */
function SentText({ email }: { email: string }) {
  return (
    <span role="status">
      If <Strong>{email}</Strong> has an account, a link is on its way to it. It works once, within an hour.
    </span>
  );
}

function BackToSignIn() {
  return (
    <AuthFooter>
      <Link to="/login">Back to sign in</Link>
    </AuthFooter>
  );
}

function parseEmail(state: unknown): string {
  const hasEmail = typeof state === 'object' && state !== null && 'email' in state;
  return hasEmail && typeof state.email === 'string' ? state.email : '';
}

const Strong = styled.strong`
  font-weight: 500;
  color: ${theme.color.text};
  overflow-wrap: anywhere;
`;
