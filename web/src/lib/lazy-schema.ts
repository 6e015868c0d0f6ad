import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Validates a form by a contract's schema that is loaded with the first submit, which keeps zod out of the first load of
 * the sign-in screens.
 */
export function lazySchema<In extends FieldValues, Out>(
  load: () => Promise<z.ZodType<Out, In>>,
): Resolver<In, unknown, Out> {
  return async (values, context, options) => {
    const [schema, { zodResolver }] = await Promise.all([load(), import('@hookform/resolvers/zod')]);
    return zodResolver(schema)(values, context, options);
  };
}
