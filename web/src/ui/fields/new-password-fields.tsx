import { useFormContext, useWatch } from 'react-hook-form';
import { FormField } from '#lib/forms/form-field.tsx';
import { PasswordField } from './password-field.tsx';
import { PasswordStrength } from './password-strength.tsx';

type Passwords = { password: string; confirmPassword: string };
type Props = { label?: string; confirmLabel?: string; autoFocus?: boolean };

/** A new password with its missing requirements, and its confirmation. The form holds both values. */
export function NewPasswordFields({ label = 'Password', confirmLabel = 'Confirm password', autoFocus = false }: Props) {
  const { control, trigger, getFieldState } = useFormContext<Passwords>();
  const password = useWatch({ control, name: 'password' });
  const followUp = () => {
    if (getFieldState('confirmPassword').isTouched) void trigger('confirmPassword');
  };
  return (
    <>
      <FormField control={control} name="password">
        {({ onChange, ...field }) => (
          <PasswordField
            {...field}
            onChange={(value) => {
              onChange(value);
              followUp();
            }}
            label={label}
            autoComplete="new-password"
            autoFocus={autoFocus}
            isRequired
          />
        )}
      </FormField>
      <PasswordStrength password={password} />
      <FormField control={control} name="confirmPassword">
        {(field) => <PasswordField {...field} label={confirmLabel} autoComplete="new-password" isRequired />}
      </FormField>
    </>
  );
}
