import { useRef, useState } from 'react';
import type { CallOptions } from '../api/api.ts';
import { getAttempt, recordAttempt } from '../forms/drafts.ts';
import { newUuid } from '../new-uuid.ts';
import { useCurrentUser } from '../session/session.ts';

/**
 * Sends the same body with the same `Idempotency-Key` until it succeeds. The key is stored with the draft, so
 * that both survive a reload.
 */
export function useIdempotencyKey<Body, Result>(
  draftKey: string,
  write: (body: Body, idempotencyKey: string) => Promise<Result>,
) {
  const owner = useCurrentUser()._id;
  const [storedAttempt] = useState(() => getAttempt(owner, draftKey));
  const lastAttempt = useRef(storedAttempt);
  return async (body: Body): Promise<Result> => {
    const content = JSON.stringify(body);
    const attempt = lastAttempt.current?.content === content ? lastAttempt.current : { content, key: newUuid() };
    const record = (next: typeof lastAttempt.current) => {
      lastAttempt.current = next;
      recordAttempt(owner, draftKey, next);
    };
    record(attempt);
    const result = await write(body, attempt.key);
    record(undefined);
    return result;
  };
}

/** Does the same for requests without a form: each name keeps its key until a response arrives. */
export function useIdempotencyKeyByName() {
  const keys = useRef(new Map<string, string>());
  return async <Result>(name: string, write: (idempotencyKey: string) => Promise<Result>): Promise<Result> => {
    const key = keys.current.get(name) ?? newUuid();
    keys.current.set(name, key);
    const result = await write(key);
    keys.current.delete(name);
    return result;
  };
}

export function idempotencyOptions(idempotencyKey: string): CallOptions {
  return { headers: { 'idempotency-key': idempotencyKey } };
}
