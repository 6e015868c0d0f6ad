import { type ReactNode, useDeferredValue } from 'react';
import { messageOf } from '#lib/api/api-error.ts';
import { CardSurface } from './card.tsx';
import { ErrorState } from './error-state.tsx';

/** The result of `useRead`. */
export type Query<Data, Failure = unknown> = {
  data?: Data | undefined;
  error?: Failure | undefined;
  isValidating: boolean;
  mutate: () => Promise<unknown>;
};

type Props<Data> = {
  query: Query<Data>;
  /** A message such as 'Failed to load projects'. */
  failure: string;
  skeletons: ReactNode;
  /** Shows a failure in a card, if the content is not in one. */
  isFramed?: boolean;
  children: (data: Data) => ReactNode;
};

/**
 * Renders the loaded data; until then, skeletons or the failure with a retry button. Data stays visible when a refetch
 * fails. The first render is a transition: SWR's own update would render the whole screen without interruption.
 */
export function AsyncContent<Data>({ query, failure, skeletons, isFramed = false, children }: Props<Data>) {
  const { data, error, isValidating, mutate } = query;
  const isReady = useDeferredValue(data !== undefined);
  if (data !== undefined && isReady) return children(data);
  if (data !== undefined || !error) return skeletons;
  const state = (
    <ErrorState title={failure} detail={messageOf(error, '')} onRetry={() => void mutate()} isRetrying={isValidating} />
  );
  return isFramed ? <CardSurface>{state}</CardSurface> : state;
}
