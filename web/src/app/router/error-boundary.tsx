import type { reportClientError } from '@atrium/proto-events/http/gateway';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { call } from '#lib/api/api.ts';
import { suspendDraftDeletion } from '#lib/forms/drafts.ts';
import { Button } from '#ui/button.tsx';
import { Mark } from '#ui/logo.tsx';
import { theme } from '#ui/theme.ts';

type Props = {
  children: ReactNode;
  /** The current location; navigating retries. */
  pathname?: string;
};
type State = { hasFailed: boolean };

/** A class component, because React has no hook that catches errors. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    suspendDraftDeletion();
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    void reportError(error, info.componentStack ?? '');
  }

  override componentDidUpdate(previousProps: Props): void {
    if (this.state.hasFailed && previousProps.pathname !== this.props.pathname) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorScreen /> : this.props.children;
  }
}

/** Replaces the whole app, so its links reload the page. */
function ErrorScreen() {
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

const MAX_REPORTS = 20;
const reportedMessages = new Set<string>();

async function reportError(error: unknown, componentStack = ''): Promise<void> {
  const reportedError = error instanceof Error ? error : new Error(String(error));
  if (reportedMessages.has(reportedError.message) || reportedMessages.size >= MAX_REPORTS) return;
  reportedMessages.add(reportedError.message);
  const stack = `${reportedError.stack ?? ''}\n${componentStack}`.slice(0, 10_000);
  const body = { message: reportedError.message.slice(0, 2_000), stack, path: window.location.pathname.slice(0, 500) };
  try {
    await call<typeof reportClientError>('POST /client-errors', { body }, { isAnonymous: true });
  } catch {
    reportedMessages.delete(reportedError.message);
  }
}

export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => void (error && reportError(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError(reason));
}
