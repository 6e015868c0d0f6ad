import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { Mark } from '#ui/logo.tsx';
import { theme } from '#ui/theme.ts';

/** Replaces the whole app, so its links reload the page. */
export function ErrorScreen() {
  return (
    <Center role="alert">
      <Mark size={40} />
      <h1>Something went wrong</h1>
      <p>We're sorry, but something unexpected happened. Our team has been notified.</p>
      <Actions>
        <Button variant="primary" onPress={() => window.location.assign('/')}>
          Return to Dashboard
        </Button>
        <Button onPress={() => window.location.reload()}>Refresh Page</Button>
      </Actions>
    </Center>
  );
}

const Center = styled.main`
  min-height: 100dvh;
  display: flex;
  flex-direction: column;
  align-items: center;
  justify-content: center;
  gap: ${theme.space[3]};
  padding: ${theme.space[6]};
  text-align: center;
  p {
    max-width: 44ch;
    color: ${theme.color.text2};
  }
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: center;
  gap: ${theme.space[2]};
  margin-top: ${theme.space[4]};
`;
