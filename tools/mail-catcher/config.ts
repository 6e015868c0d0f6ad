import { readEnv } from '@atrium/service-kit/config/env';
import { secretText } from '@atrium/service-kit/config/secret-value';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

export const schema = z.object({
  MAILBOX_HOST: z.string().default('127.0.0.1'),
  MAILBOX_SMTP_PORT: port,
  MAILBOX_WEB_PORT: port,
  MAILBOX_FOLDER: z.string().min(1),
  // Grants access to every email, including password reset links.
  MAILBOX_TOKEN: secretText(),
});

export const readConfig = (source: NodeJS.ProcessEnv): z.infer<typeof schema> => readEnv(schema, source);
