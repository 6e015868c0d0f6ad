import { type DestinationStream, type Logger, pino } from 'pino';
import { requestContext } from '../http/request-context.ts';
import { describeError } from './describe-error.ts';
import { traceIds } from './tracing.ts';

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

/** Who asked for what is going on, without where they are: an address is personal, and stands in the security record. */
function lineContext(): object {
  const { requestId, userId } = requestContext.getStore() ?? {};
  return { ...traceIds(), ...(requestId !== undefined && { requestId }), ...(userId !== undefined && { userId }) };
}

/** A JSON-lines logger whose every line names the service and, inside a request, the request id. Secrets are never written. */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      mixin: lineContext,
      serializers: { err: describeError },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ sync: false }),
  );
}
