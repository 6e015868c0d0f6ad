import { toNestErrors } from '@hookform/resolvers';
import type { FieldError, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Validates a form with its schema; each field shows its first issue. Unlike `zodResolver`, it shows the message of a
 * union itself: those of its members are zod's own text.
 */
export const formResolver =
  <Input extends FieldValues, Output>(schema: z.ZodType<Output, Input>): Resolver<Input, unknown, Output> =>
  async (values, _context, options) => {
    const result = await schema.safeParseAsync(values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, FieldError> = Object.create(null);
    for (const { path, message, code } of result.error.issues) errors[path.join('.')] ??= { message, type: code };
    return { values: {}, errors: toNestErrors<Input>(errors, options) };
  };
