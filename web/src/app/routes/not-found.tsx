import { ButtonLink } from '../../ui/button-link.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { useTitle } from '../router/use-title.ts';

export default function NotFound() {
  useTitle('Page not found');
  return (
    <AuthLayout title="Oops! Page not found" lead="There is nothing at this address, or it has moved.">
      <ButtonLink to="/" variant="primary" isFullWidth>
        Return to Home
      </ButtonLink>
    </AuthLayout>
  );
}
