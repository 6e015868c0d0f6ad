import { inviteBody } from '@atrium/proto-events/http/invitations';
import { z } from 'zod';

export type InviteValues = { email: string; firstName: string; lastName: string; role: string; department: string };

/** In the dialogs a department is required (decisions, section 3). */
export const inviteSchema = z.preprocess(
  (values: InviteValues) => values,
  inviteBody.extend({ department: z.string().min(1, 'Please select a department') }),
);
