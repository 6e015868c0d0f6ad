import { Component, type ErrorInfo, type ReactNode } from 'react';
import { suspendDraftDeletion } from '#lib/forms/drafts.ts';
import { ErrorScreen } from './error-screen.tsx';
import { reportError } from './report-error.ts';

type Props = {
  children: ReactNode;
  /** The current location; navigating retries. */
  place?: string;
};
type State = { hasFailed: boolean };

/** Shows the error screen for a rendering error and reports it. React has no hook for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    suspendDraftDeletion();
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    void reportError(error, info.componentStack ?? '');
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.hasFailed && before.place !== this.props.place) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorScreen /> : this.props.children;
  }
}
