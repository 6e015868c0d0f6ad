import { ButtonLink } from '#ui/button-link.tsx';
import { useTitle } from '../router/use-title.ts';
import { AuthLayout } from './auth-layout.tsx';

export default function NotFound() {
  useTitle('Page not found');
  return (
    <AuthLayout title="Oops! Page not found" lead="This page does not exist or has moved.">
      <ButtonLink to="/" variant="primary" isFullWidth>
        Return to Home
      </ButtonLink>
    </AuthLayout>
  );
}
