import { AppError } from '../errors/app-error.ts';

/**
 * No contract has more than eight. Recursive code needs a limit: V8 parses 100,000 levels, and its stack holds some
 * thousands.
 */
const MAX_LEVELS = 64;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const childrenOf = (value: object): object[] => Object.values(value).filter(isObject);

/** Throws `validation_failed` for JSON with more than 64 levels of objects and arrays. Iterative, by level. */
export function requireShallow(json: unknown): void {
  let level = [json].filter(isObject);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) throw tooDeep();
    level = level.flatMap(childrenOf);
  }
}

function tooDeep(): AppError {
  const message = `The request must have at most ${MAX_LEVELS} levels of objects and lists`;
  return new AppError('validation_failed', message, { messages: [message], errors: [{ path: 'body', message }] });
}
