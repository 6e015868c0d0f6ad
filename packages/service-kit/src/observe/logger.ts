import { type DestinationStream, type Logger, pino } from 'pino';
import { requestContext } from '../http/request-context.ts';

export type { Logger };

const SECRET_FIELDS = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  'currentPassword',
  'newPassword',
];

/** A JSON-lines logger whose every line names the service and, inside a request, the request id. Secrets are never written. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      // A copy: pino writes the fields of the line into what it is given.
      mixin: () => ({ ...requestContext.getStore() }),
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ sync: false }),
  );
}
