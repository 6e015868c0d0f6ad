import { type ReactNode, useDeferredValue } from 'react';
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

/**
 * What was read; until then what stands for it, or why it could not be had and a way to try again. What is there stays when a later try
 * fails. An answer that comes is drawn first in steps that give way to what the person does: SWR's own update would draw a whole screen
 * in one.
 */
export function AsyncContent<Data>({ of, failure, skeletons, isFramed = false, children }: Props<Data>) {
  const { data, error, isValidating, mutate } = of;
  const isDrawn = useDeferredValue(data !== undefined);
  if (data !== undefined && isDrawn) return children(data);
  if (data !== undefined || !error) return skeletons;
  const state = (
    <ErrorState title={failure} detail={messageOf(error, '')} onRetry={() => void mutate()} isRetrying={isValidating} />
  );
  return isFramed ? <CardSurface>{state}</CardSurface> : state;
}
