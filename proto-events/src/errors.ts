import { z } from 'zod';

/** Every error code and its HTTP status. */
export const STATUS_OF = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_token: 400,
  token_expired: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  session_ended: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  stale_version: 409,
  position_expired: 410,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** An invalid field: `path` names it (`body.title`), and `message` is for the user. */
const fieldError = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldError>;

/** The body of a response with a status of 400 or more. `message` is a list for validation errors. */
export const errorBody = z.object({
  message: z.union([z.string(), z.array(z.string())]),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(fieldError).optional(),
  current: z.unknown().optional().describe('With stale_version: the current state of the resource'),
});
export type ErrorBody = z.infer<typeof errorBody>;
