import type { reportClientError } from '@atrium/proto-events/http/gateway';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { call } from '../lib/api.ts';
import { spareDrafts } from '../lib/drafts.ts';
import { ErrorScreen } from './error-screen.tsx';

type Props = {
  children: ReactNode;
  /** Where the person is; going elsewhere tries again. */
  place?: string;
};
type State = { hasFailed: boolean };

/** Shows the fallback screen for a fault in rendering and tells the server of it. React knows no hook for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    spareDrafts();
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    void reportFault(error, info.componentStack ?? '');
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.hasFailed && before.place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorScreen /> : this.props.children;
  }
}

async function reportFault(error: unknown, componentStack: string): Promise<void> {
  const fault = error instanceof Error ? error : new Error(String(error));
  const stack = `${fault.stack ?? ''}\n${componentStack}`.slice(0, 10_000);
  const body = { message: fault.message.slice(0, 2_000), stack, path: window.location.pathname.slice(0, 500) };
  try {
    await call<typeof reportClientError>('POST /client-errors', { body }, { isAnonymous: true });
  } catch {
    // There is nobody left to tell.
  }
}
