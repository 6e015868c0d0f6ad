import { useRef, useState } from 'react';
import type { CallOptions } from '../api/api.ts';
import { attemptAt, recordAttempt } from '../forms/drafts.ts';
import { newUuid } from '../new-uuid.ts';
import { useCurrentUser } from '../session/use-session.ts';

/**
 * A write that makes something, such that sending it again after a lost answer does not make it twice: the same words go under the
 * same `Idempotency-Key` until they have arrived, other words under another. The key stays with the draft that is kept at that
 * place, so that it outlives a reload as the words do.
 */
export function useIdempotencyKey<Body, Answer>(
  place: string,
  write: (body: Body, idempotencyKey: string) => Promise<Answer>,
) {
  const owner = useCurrentUser()._id;
  const [found] = useState(() => attemptAt(owner, place));
  const last = useRef(found);
  return async (body: Body): Promise<Answer> => {
    const content = JSON.stringify(body);
    const attempt = last.current?.content === content ? last.current : { content, key: newUuid() };
    const record = (attempt: typeof last.current) => {
      last.current = attempt;
      recordAttempt(owner, place, attempt);
    };
    record(attempt);
    const answer = await write(body, attempt.key);
    record(undefined);
    return answer;
  };
}

/** The same for writes without a form: each name has one key until a response has arrived. */
export function useIdempotencyKeyByName() {
  const keys = useRef(new Map<string, string>());
  return async <Answer>(name: string, write: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const key = keys.current.get(name) ?? newUuid();
    keys.current.set(name, key);
    const answer = await write(key);
    keys.current.delete(name);
    return answer;
  };
}

/** The options of a call that is sent under such a key. */
export function idempotencyOptions(idempotencyKey: string): CallOptions {
  return { headers: { 'idempotency-key': idempotencyKey } };
}
