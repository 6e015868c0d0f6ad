import type { ErrorRequestHandler } from 'express';
import type { Caller } from './authenticate.ts';
import { toAppError } from './http-errors.ts';
import { requestContext } from './request-context.ts';
import type { SecurityLog } from './security-log.ts';

/** Records each 403, and each 401 of a known user whose token has expired or was revoked. */
export function auditDenials(securityLog: SecurityLog): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { status, extra } = toAppError(error);
    const caller: Caller | undefined = res.locals.caller;
    const person = extra.person ?? caller;
    if (status === 403 || (status === 401 && extra.person !== undefined)) {
      const recorded = securityLog.recordDenial({
        action: status === 403 ? 'access.denied' : 'token.rejected',
        outcome: 'denied',
        userId: person?.userId ?? null,
        address: requestContext.getStore()?.address ?? null,
        method: req.method,
        route: String(res.locals.route ?? ''),
        status,
        ...(person && { sessionId: person.sessionId }),
      });
      // Stored before the response, so that a crash cannot lose it.
      return void recorded.then(() => next(error));
    }
    next(error);
  };
}
