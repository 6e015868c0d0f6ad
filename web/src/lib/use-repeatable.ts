import { useRef } from 'react';
import type { CallOptions } from './api.ts';
import { newUuid } from './new-uuid.ts';

/**
 * A write that makes something, such that sending it again after a lost answer does not make it twice: the same words go under the
 * same `Idempotency-Key` until they have arrived, other words under another.
 */
export function useRepeatable<Body, Answer>(write: (body: Body, idempotencyKey: string) => Promise<Answer>) {
  const last = useRef<{ content: string; key: string } | null>(null);
  return async (body: Body): Promise<Answer> => {
    const content = JSON.stringify(body);
    if (last.current?.content !== content) last.current = { content, key: newUuid() };
    const answer = await write(body, last.current.key);
    last.current = null;
    return answer;
  };
}

/** The options of a call that is sent under such a key. */
export function underKey(idempotencyKey: string): CallOptions {
  return { headers: { 'idempotency-key': idempotencyKey } };
}
