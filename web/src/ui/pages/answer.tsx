import type { ReactNode } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { CardSurface } from './card.tsx';
import { ErrorState } from './error-state.tsx';

type Props<Data> = {
  /** What `useRead` gives. */
  of: { data?: Data | undefined; error?: unknown; isValidating: boolean; mutate: () => Promise<unknown> };
  /** 'Failed to load projects'. */
  failure: string;
  /** Stands there until the first answer. */
  skeletons: ReactNode;
  /** Gives a failure a surface, where what is around has none. */
  isFramed?: boolean;
  children: (data: Data) => ReactNode;
};

/** What was read; until then what stands for it, or why it could not be had and a way to try again. What is there stays when a later try fails. */
export function Answer<Data>({ of, failure, skeletons, isFramed = false, children }: Props<Data>) {
  const { data, error, isValidating, mutate } = of;
  if (data !== undefined) return children(data);
  if (!error) return skeletons;
  const state = (
    <ErrorState title={failure} detail={messageOf(error, '')} onRetry={() => void mutate()} isRetrying={isValidating} />
  );
  return isFramed ? <CardSurface>{state}</CardSurface> : state;
}
