import type { z } from 'zod';
import { AppError } from './app-error.ts';

/** 400 with every fault once: `message` the list of sentences, `errors` where each stands. */
export function validationError(place: 'body' | 'query', error: z.ZodError): AppError {
  const errors = error.issues.map((issue) => ({
    path: [place, ...issue.path].join('.'),
    message: issue.message,
  }));
  const messages = [...new Set(errors.map(({ message }) => message))];
  return new AppError('validation_failed', messages.join(', '), { messages, errors });
}
