import { useEffect } from 'react';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Entrance } from '../entrance.tsx';

export default function NotFound() {
  useEffect(() => {
    document.title = 'Page not found · Atrium';
  }, []);
  return (
    <Entrance title="Oops! Page not found" lead="There is nothing at this address, or it has moved.">
      <ButtonLink to="/" variant="primary" isFullWidth>
        Return to Home
      </ButtonLink>
    </Entrance>
  );
}
