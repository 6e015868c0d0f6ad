import { changePasswordBody } from '@atrium/proto-events/http/passwords';
import { confirmation, isConfirmed, PASSWORD_MISMATCH } from '#lib/forms/confirmed-password.ts';

const { currentPassword, newPassword } = changePasswordBody.shape;

/** The contract's two passwords, with a confirmation of the new one. */
export const passwordSchema = changePasswordBody
  .omit({ newPassword: true })
  .extend({ currentPassword, password: newPassword, ...confirmation })
  .refine(isConfirmed, PASSWORD_MISMATCH);
