import type { z } from 'zod';
import { AppError } from './app-error.ts';

/** 400 with each error once: `message` lists the sentences, `errors` adds their paths. */
export function validationError(part: 'body' | 'query', error: z.ZodError): AppError {
  const errors = error.issues.map((issue) => ({
    path: [part, ...issue.path].join('.'),
    message: issue.message,
  }));
  const messages = [...new Set(errors.map(({ message }) => message))];
  return new AppError('validation_failed', messages.join(', '), { messages, errors });
}
